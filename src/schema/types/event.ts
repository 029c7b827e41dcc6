import type { EventPosition } from "../../domain/event-log/event-cursor.ts";
import { toEventFilter } from "../../domain/event-log/event-filter.ts";
import { type EventsPage as Page, listEvents } from "../../domain/event-log/list-events.ts";
import { listRecentEvents } from "../../domain/event-log/list-recent-events.ts";
import { listSubjectEvents } from "../../domain/event-log/list-subject-events.ts";
import { readSubjectLabels } from "../../domain/event-log/read-subject-labels.ts";
import { readStart } from "../../domain/event-log/read-start.ts";
import type { StoredEvent } from "../../domain/event-log/stored-event.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { requireScope } from "../../domain/kernel/guard.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { eventCursor } from "../../domain/kernel/cursors.ts";
import { parkStream } from "../../live/event-stream.ts";
import type { SubscriptionFrame } from "../../live/subscription-frame.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { parseGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import { findAgentName } from "./agent-name.ts";

type FrameByKind<Kind extends SubscriptionFrame["kind"]> = Extract<SubscriptionFrame, { kind: Kind }>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ResetReason = addEnum(
  "ResetReason",
  { cursor_expired: "cursor_expired", epoch_changed: "epoch_changed" } as const,
  "Why a cursor can't be resumed: CURSOR_EXPIRED if events after it were deleted, EPOCH_CHANGED if " +
    "the database was restored from a backup.",
);

const loadSubjectLabel = createBatchLoader(readSubjectLabels);

/** Marks subscriptions whose frames are rendered once for all subscribers with the same selection. */
const SHARED = { isShared: true };

/** Marks fields that need a database read. */
const LOOKED_UP = { isLookedUp: true };

const Event = builder.objectRef<StoredEvent>("Event").implement({
  description: "Something that happened to one row. Read the row for its current state.",
  fields: (t) => ({
    cursor: t.field({
      type: "Cursor",
      description: "Resumes after this event.",
      resolve: ({ epoch, seq }) => toCursor({ epoch, seq }),
    }),
    seq: t.exposeFloat("seq", {
      description:
        "The event's number in the workspace. Numbers of events that are filtered out or not visible to " +
        "the caller are missing.",
    }),
    id: t.expose("id", { type: "UUID", description: "Unique. Use it to process each event only once." }),
    type: t.exposeString("type", { description: "`<subject>.<what happened>`, such as `task.created`." }),
    subjectType: t.exposeString("subjectType"),
    subjectUuid: t.expose("subjectId", { type: "UUID" }),
    subjectLabel: t.string({
      nullable: true,
      description:
        "The current title, name, command type or start of the message. Not available in subscriptions.",
      extensions: LOOKED_UP,
      resolve: async ({ subjectType, subjectId }, _args, ctx) =>
        (await loadSubjectLabel(ctx, `${subjectType} ${subjectId}`)) ?? null,
    }),
    agentUuid: t.expose("agentId", {
      type: "UUID",
      nullable: true,
      description: "The agent that the event concerns.",
    }),
    agentName: t.string({
      nullable: true,
      description:
        "The name of that agent. Null if the caller may not read agents. Not available in subscriptions.",
      extensions: LOOKED_UP,
      resolve: async ({ agentId }, _args, ctx) => (await findAgentName(ctx, agentId))?.name ?? null,
    }),
    actor: t.field({ type: "Actor", resolve: ({ actor }) => toActorRecord(actor) }),
    data: t.expose("data", { type: "JSON", description: "Ids, the generation and changed scalars." }),
    traceparent: t.exposeString("traceparent", { nullable: true }),
    occurredAt: t.expose("occurredAt", { type: "DateTime" }),
  }),
});

export const StreamOpened = builder.objectRef<FrameByKind<"opened">>("StreamOpened").implement({
  description: "The first frame of a stream.",
  fields: (t) => ({
    cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }),
    live: t.exposeBoolean("live", {
      description: "Whether the stream starts at the present, with no older events to deliver first.",
    }),
  }),
});

const StreamCheckpoint = builder.objectRef<FrameByKind<"checkpoint">>("StreamCheckpoint").implement({
  description: "No matching event has happened up to this cursor.",
  fields: (t) => ({ cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }) }),
});

const StreamReset = builder.objectRef<FrameByKind<"reset">>("StreamReset").implement({
  description: "Events are missing: read your lists again. The stream resumes after this cursor.",
  fields: (t) => ({
    reason: t.expose("reason", { type: ResetReason }),
    cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }),
  }),
});

const EventFrame = builder.unionType("EventFrame", {
  description: "A frame of an event stream.",
  types: [StreamOpened, Event, StreamCheckpoint, StreamReset],
  resolveType: (frame) => ("kind" in frame ? TYPENAMES[frame.kind] : Event),
});

const TYPENAMES = { opened: StreamOpened, checkpoint: StreamCheckpoint, reset: StreamReset } as const;

const EventsPage = builder.objectRef<Page>("EventsPage").implement({
  description: "Events after a cursor, oldest first.",
  fields: (t) => ({
    // Multiplied at the page.
    events: t.field({
      type: [Event],
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => events,
    }),
    cursor: t.expose("cursor", { type: "Cursor", description: "Pass it as `after` to get the next events." }),
    oldestCursor: t.expose("oldestCursor", {
      type: "Cursor",
      description: "The position before the oldest event that is kept.",
    }),
  }),
});

const TYPES = "Types such as `task.created`, or `task.*` for a prefix. Default: all.";
const SUBJECT = "The id or uuid of the row or agent that the events concern.";

builder.queryFields((t) => ({
  eventsPage: t.field({
    type: EventsPage,
    description: "The workspace's events after a cursor, oldest first. Without a cursor, from now on.",
    args: {
      after: t.arg({ type: "Cursor" }),
      types: t.arg.stringList({ description: TYPES }),
      subject: t.arg.id({ description: SUBJECT }),
      first: t.arg.int({ description: "1 to 500. Default 100." }),
      waitSeconds: t.arg.int({ description: "How long to wait if there are no events yet, 0 to 30." }),
    },
    complexity: eventsComplexity,
    resolve: (_root, { subject, first, waitSeconds, ...asked }, ctx) =>
      listEvents(ctx, {
        ...asked,
        ...omitNulls({ first, waitSeconds }),
        subjectId: parseSubject(subject),
      }),
  }),
}));

builder.queryFields((t) => ({
  subjectEvents: t.field({
    type: [Event],
    description: "Events of one row, newest first, as long as they are kept, without `trace.updated`.",
    args: {
      subject: t.arg.id({ required: true, description: "The id or the uuid of the row." }),
      first: t.arg.int({ description: "1 to 500. Default 100." }),
      beforeSeq: t.arg.float({ description: "Only events with a smaller `seq`." }),
    },
    complexity: eventsComplexity,
    resolve: (_root, { subject, first, beforeSeq }, ctx) =>
      // A required argument is never null.
      listSubjectEvents(ctx, { subjectId: parseSubject(subject) ?? "", beforeSeq, ...omitNulls({ first }) }),
  }),
}));

builder.queryFields((t) => ({
  recentEvents: t.field({
    type: [Event],
    description: "The newest events that the caller may see, newest first, without `trace.updated`.",
    args: { first: t.arg.int({ description: "1 to 500. Default 100." }) },
    complexity: eventsComplexity,
    resolve: (_root, { first }, ctx) => listRecentEvents(ctx, omitNulls({ first })),
  }),
}));

builder.subscriptionType({ description: "Live updates, over WebSocket only." });

builder.subscriptionField("events", (t) =>
  t.field({
    type: EventFrame,
    extensions: SHARED,
    description:
      "The workspace's events after a cursor, in order. Without a cursor, from now on. An event that " +
      "can't be shown arrives as an error with its cursor in `extensions.cursor`.",
    args: {
      after: t.arg({ type: "Cursor" }),
      types: t.arg.stringList({ description: TYPES }),
      subject: t.arg.id({ description: SUBJECT }),
    },
    subscribe: async (_root, { after, types, subject }, ctx): Promise<AsyncIterable<SubscriptionFrame>> => {
      requireScope(ctx, "events:read");
      const filter = toEventFilter(ctx.actor, { types: types ?? null, subjectId: parseSubject(subject) });
      const start = await readStart(ctx, after ?? null);
      return parkStream({ workspaceId: ctx.workspaceId, start, filter });
    },
    resolve: (frame) => (frame.kind === "event" ? frame.event : frame),
  }),
);

/** The cost of a list of events. */
function eventsComplexity({ first }: { first?: number | null | undefined }) {
  const size = first ?? LIMITS.eventsPage.default;
  return { field: 1, multiplier: Math.min(Math.max(size, 1), LIMITS.eventsPage.max) };
}

function toCursor({ epoch, seq }: EventPosition): string {
  return eventCursor(epoch, BigInt(seq));
}

function parseSubject(id: string | null | undefined): string | null {
  if (id === null || id === undefined) return null;
  if (UUID.test(id)) return id.toLowerCase();
  const parsed = parseGlobalId(id);
  if (parsed === null) throw createFieldError("subject", "must be an id or a uuid");
  return parsed.id;
}

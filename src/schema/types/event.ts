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
import { eventCursor } from "../../domain/kernel/page.ts";
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
  "Why events can't go on from a cursor: those after it are gone, or their history was replaced by a backup's.",
);

const loadSubjectLabel = createBatchLoader(readSubjectLabels);

/** Marks subscriptions whose frames are rendered once for all who ask for the same of them. */
const SHARED = { isShared: true };

/** Marks fields that an event does not have in itself. */
const LOOKED_UP = { isLookedUp: true };

const Event = builder.objectRef<StoredEvent>("Event").implement({
  description: "Something that happened to one row. Read the row again for what it is now.",
  fields: (t) => ({
    cursor: t.field({
      type: "Cursor",
      description: "Goes on after this event.",
      resolve: ({ epoch, seq }) => toCursor({ epoch, seq }),
    }),
    seq: t.exposeFloat("seq", {
      description:
        "A whole number, in the workspace's own order; those of events that you don't ask for or may not see are left out.",
    }),
    id: t.expose("id", { type: "UUID", description: "Never given twice: the key to do its work once." }),
    type: t.exposeString("type", { description: "`<subject>.<what happened>`, such as `task.created`." }),
    subjectType: t.exposeString("subjectType"),
    subjectUuid: t.expose("subjectId", { type: "UUID" }),
    subjectLabel: t.string({
      nullable: true,
      description:
        "What people call it now: a title, a name, a command's type, the start of a message. Not in a subscription.",
      extensions: LOOKED_UP,
      resolve: async ({ subjectType, subjectId }, _args, ctx) =>
        (await loadSubjectLabel(ctx, `${subjectType} ${subjectId}`)) ?? null,
    }),
    agentUuid: t.expose("agentId", { type: "UUID", nullable: true, description: "The agent concerned." }),
    agentName: t.string({
      nullable: true,
      description:
        "Of the agent concerned; null where the caller may not read agents. Not in a subscription.",
      extensions: LOOKED_UP,
      resolve: async ({ agentId }, _args, ctx) => (await findAgentName(ctx, agentId))?.name ?? null,
    }),
    actor: t.field({ type: "Actor", resolve: ({ actor }) => toActorRecord(actor) }),
    data: t.expose("data", { type: "JSON", description: "Ids, the generation and scalars that changed." }),
    traceparent: t.exposeString("traceparent", { nullable: true }),
    occurredAt: t.expose("occurredAt", { type: "DateTime" }),
  }),
});

/** The first frame of a stream, for the streams in other files. */
export const StreamOpened = builder.objectRef<FrameByKind<"opened">>("StreamOpened").implement({
  description: "The first frame of a stream.",
  fields: (t) => ({
    cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }),
    live: t.exposeBoolean("live", { description: "Whether nothing older comes first." }),
  }),
});

const StreamCheckpoint = builder.objectRef<FrameByKind<"checkpoint">>("StreamCheckpoint").implement({
  description: "Nothing that was asked for has happened up to here.",
  fields: (t) => ({ cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }) }),
});

const StreamReset = builder.objectRef<FrameByKind<"reset">>("StreamReset").implement({
  description: "There is a gap: read your lists again. The stream goes on after this cursor.",
  fields: (t) => ({
    reason: t.expose("reason", { type: ResetReason }),
    cursor: t.field({ type: "Cursor", resolve: ({ at }) => toCursor(at) }),
  }),
});

const EventFrame = builder.unionType("EventFrame", {
  description: "What a stream of events brings.",
  types: [StreamOpened, Event, StreamCheckpoint, StreamReset],
  resolveType: (frame) => ("kind" in frame ? TYPENAMES[frame.kind] : Event),
});

const TYPENAMES = { opened: StreamOpened, checkpoint: StreamCheckpoint, reset: StreamReset } as const;

const EventsPage = builder.objectRef<Page>("EventsPage").implement({
  description: "Events after a cursor, oldest first.",
  fields: (t) => ({
    // The page is what multiplies.
    events: t.field({
      type: [Event],
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => events,
    }),
    cursor: t.expose("cursor", { type: "Cursor", description: "Where to go on." }),
    oldestCursor: t.expose("oldestCursor", {
      type: "Cursor",
      description: "Before the oldest event that is kept.",
    }),
  }),
});

const TYPES = "Such as `task.created`, or `task.*` for all that begins so; all where it is left out.";
const SUBJECT = "The id or the uuid of what the events are about: a row, or the agent concerned.";

builder.queryFields((t) => ({
  eventsPage: t.field({
    type: EventsPage,
    description: "The workspace's events after a cursor, oldest first; from now on where it is left out.",
    args: {
      after: t.arg({ type: "Cursor" }),
      types: t.arg.stringList({ description: TYPES }),
      subject: t.arg.id({ description: SUBJECT }),
      first: t.arg.int({ description: "1 to 500; 100 where it is left out." }),
      waitSeconds: t.arg.int({ description: "How long to wait where there is nothing yet; 0 to 30." }),
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
    description: "What happened to one row, newest first, as long as events are kept.",
    args: {
      subject: t.arg.id({ required: true, description: "The id or the uuid of the row." }),
      first: t.arg.int({ description: "1 to 500; 100 where it is left out." }),
      beforeSeq: t.arg.float({ description: "Only events before the one of this number." }),
    },
    complexity: eventsComplexity,
    resolve: (_root, { subject, first, beforeSeq }, ctx) =>
      // It is required, so it is there.
      listSubjectEvents(ctx, { subjectId: parseSubject(subject) ?? "", beforeSeq, ...omitNulls({ first }) }),
  }),
}));

builder.queryFields((t) => ({
  recentEvents: t.field({
    type: [Event],
    description: "What happened last, newest first, as far as the caller may see it.",
    args: { first: t.arg.int({ description: "1 to 500; 100 where it is left out." }) },
    complexity: eventsComplexity,
    resolve: (_root, { first }, ctx) => listRecentEvents(ctx, omitNulls({ first })),
  }),
}));

builder.subscriptionType({ description: "What happens, as it happens. Over WebSocket only." });

builder.subscriptionField("events", (t) =>
  t.field({
    type: EventFrame,
    extensions: SHARED,
    description:
      "The workspace's events after a cursor, in their order; from now on where it is left out. One that can't be shown comes as errors, with its place in `extensions.cursor`.",
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

/** How many times an event's fields count. */
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
  if (parsed === null) throw createFieldError("subject", "is neither an id nor a uuid");
  return parsed.id;
}

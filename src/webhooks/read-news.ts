import { type EventFilter, isWanted, toEventFilter } from "../domain/event-log/event-filter.ts";
import { EVENTS, type Headed, WINDOW } from "../domain/event-log/list-events.ts";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { listChatTypes } from "../domain/webhooks/chat-message.ts";
import type { HeldEndpoint } from "./endpoint-statements.ts";

/**
 * Events for an endpoint, and up to where they are all that it gets. `hasOwn`: whether one that was looked at is about
 * the endpoint itself; of those that are not read from memory, only what it gets is looked at.
 */
export type News = { events: StoredEvent[]; cursor: number; isLost: boolean; hasOwn: boolean };

type Asked = { endpointId: string; after: number; filter: EventFilter };

/** How many events are sent before they are recorded. */
const PAGE = 100;

/** Reads an endpoint's next events, from memory where this node has them. */
export async function readNews(ctx: Ctx, asked: Asked): Promise<News> {
  const held = ctx.services.live.getHeldEvents(ctx.workspaceId, asked.after);
  return held === null ? readStored(ctx, asked) : pick(held, asked);
}

/** The filter of an endpoint: what admins see, of its types; for a chat, what there are messages for. */
export function createEndpointFilter(
  ctx: Ctx,
  { kind, eventTypes }: Pick<HeldEndpoint, "kind" | "eventTypes">,
): EventFilter {
  const filter = toEventFilter(ctx.actor, { types: eventTypes, subjectId: null });
  return kind === "chat" ? { ...filter, exact: listChatTypes(eventTypes), prefixes: [] } : filter;
}

function pick(held: readonly StoredEvent[], { endpointId, after, filter }: Asked): News {
  const events: StoredEvent[] = [];
  let cursor = after;
  let hasOwn = false;
  for (const event of held) {
    const isOwn = event.subjectId === endpointId;
    // What comes after changes of the endpoint is sent as they say.
    if (hasOwn && !isOwn) break;
    cursor = event.seq;
    hasOwn = isOwn;
    if (isWanted(filter, event)) events.push(event);
    if (events.length === PAGE) break;
  }
  return { events, cursor, isLost: false, hasOwn };
}

async function readStored(ctx: Ctx, { endpointId, after, filter }: Asked): Promise<News> {
  const { exact, prefixes, subjectId, subjectTypes } = filter;
  const values = [ctx.workspaceId, after, PAGE, exact, prefixes, subjectId, subjectTypes];
  const rows = await ctx.read(EVENTS, values);
  const [head] = rows;
  if (head === undefined) return { events: [], cursor: after, isLost: false, hasOwn: false };
  // Without events there is one row with the head and nulls.
  const events = rows.filter((row): row is Headed & StoredEvent => row.seq !== null);
  const last = events.length === PAGE ? events.at(-1) : undefined;
  return {
    events,
    cursor: last?.seq ?? Math.max(after, Math.min(head.headSeq, after + WINDOW)),
    isLost: head.minSeq - 1 > after,
    hasOwn: events.some((event) => event.subjectId === endpointId),
  };
}

import { isRejection } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import type { Send } from "./request.ts";
import { backoffMs, wait } from "./wait.ts";

/** Which events, and from where on. */
export type FollowEventsOptions = {
  /** The cursor of the last frame that was dealt with; from now on where it is left out. */
  after?: string;
  /** Such as `task.created`, or `task.*`; all where it is left out. */
  types?: readonly string[];
  /** The row, or the agent, that they are about. */
  subject?: string;
  signal?: AbortSignal;
};

/** What following events brings. Keep the cursor when a frame is dealt with, and go on from it after a restart. */
export type EventFrame =
  | { kind: "event"; cursor: string; event: Schemas["Event"] }
  /** Nothing that is wanted has happened up to here. */
  | { kind: "checkpoint"; cursor: string }
  /** There is a gap: what came before the cursor is gone. Read your lists again. */
  | { kind: "reset"; cursor: string };

const WAIT_SECONDS = 25;
/** An answer that brings nothing before this has not waited. */
const AT_ONCE_MS = 1000;

/**
 * Follows events in their order, each once, across restarts of either side. Where it is answered at once and
 * with nothing new, as by a service that stops, it lets more and more time pass before it asks again.
 *
 * @throws {ApiError} for what the service refuses, such as a cursor of another workspace.
 */
export async function* followEvents(
  send: Send,
  wanted: FollowEventsOptions,
): AsyncGenerator<EventFrame, void> {
  const { types, subject, signal } = wanted;
  let after = wanted.after;
  let idle = 0;
  for (;;) {
    if (signal?.aborted === true) return;
    const query = {
      // Without a place, what happens while an answer that gets lost was waited for would be lost too.
      wait: after === undefined ? 0 : WAIT_SECONDS,
      ...(after !== undefined && { after }),
      ...(types !== undefined && { types: types.join(",") }),
      ...(subject !== undefined && { subject }),
    };
    const askedAtMs = performance.now();
    const frames = await nextFrames(send, query, signal);
    const reached = frames.at(-1)?.cursor ?? after;
    const isIdle = reached === after && performance.now() - askedAtMs < AT_ONCE_MS;
    yield* frames;
    after = reached;
    idle = isIdle ? idle + 1 : 0;
    if (isIdle) await wait(backoffMs(idle), signal);
  }
}

async function nextFrames(
  send: Send,
  query: { wait: number; after?: string },
  signal: AbortSignal | undefined,
): Promise<EventFrame[]> {
  try {
    const { events, next_after: cursor } = await send("GET /events", { query, ...(signal && { signal }) });
    const frames = events.map((event) => ({ kind: "event" as const, cursor: event.cursor, event }));
    const last = events.at(-1)?.cursor;
    return last === cursor ? frames : [...frames, { kind: "checkpoint", cursor }];
  } catch (error) {
    if (signal?.aborted === true) return [];
    const oldest = isRejection(error, "cursor_expired") ? error.problem.oldest_cursor : undefined;
    if (oldest === undefined) throw error;
    return [{ kind: "reset", cursor: oldest }];
  }
}

import { isRejection } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import type { Send } from "./request.ts";
import { backoffMs, wait } from "./wait.ts";

export type FollowEventsOptions = {
  /** The cursor of the last processed frame. Default: from now on. */
  after?: string;
  /** Such as `task.created`, or `task.*`. Default: all. */
  types?: readonly string[];
  /** Only events about this resource or agent. */
  subject?: string;
  signal?: AbortSignal;
};

/** An event or a position. Store the cursor after processing a frame, to resume from it after a restart. */
export type EventFrame =
  | { kind: "event"; cursor: string; event: Schemas["Event"] }
  /** There were no matching events up to this cursor. */
  | { kind: "checkpoint"; cursor: string }
  /** Events before this cursor have been deleted. Reload your lists. */
  | { kind: "reset"; cursor: string };

const WAIT_SECONDS = 25;
/** A response without events that arrives sooner did not wait. */
const AT_ONCE_MS = 1000;

/**
 * Follows events in order, each once, across restarts of client and service. If responses are immediate and empty, as
 * when the service is stopping, requests are sent less and less often.
 *
 * @throws {ApiError} if the service rejects the request, such as for a cursor of another workspace.
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
      // Without a cursor, a lost response could lose events. So the first request doesn't wait.
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

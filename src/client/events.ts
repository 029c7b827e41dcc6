import { isRefusal } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import type { Send } from "./request.ts";

/** Which events, and from where on. */
export type EventsWanted = {
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

/**
 * Follows events in their order, each once, across restarts of either side.
 *
 * @throws {ApiError} for what the service refuses, such as a cursor of another workspace.
 */
export async function* followEvents(send: Send, wanted: EventsWanted): AsyncGenerator<EventFrame, void> {
  const { types, subject, signal } = wanted;
  let after = wanted.after;
  for (;;) {
    if (signal?.aborted === true) return;
    const query = {
      wait: WAIT_SECONDS,
      ...(after !== undefined && { after }),
      ...(types !== undefined && { types: types.join(",") }),
      ...(subject !== undefined && { subject }),
    };
    const frames = await nextFrames(send, query, signal);
    yield* frames;
    after = frames.at(-1)?.cursor ?? after;
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
    const oldest = isRefusal(error, "cursor_expired") ? error.problem.oldest_cursor : undefined;
    if (oldest === undefined) throw error;
    return [{ kind: "reset", cursor: oldest }];
  }
}

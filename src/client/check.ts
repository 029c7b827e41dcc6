import type { Schemas } from "./api-types.ts";
import type { Send } from "./request.ts";

type Check = Schemas["GatewayCheck"];

export type CheckOptions = {
  /** How long to wait for people, in seconds. Default: 0. Without an answer the check stays `pending`. */
  waitSeconds?: number;
  /** Whether to ask people if policies say so. Default: true. Without it such a request is denied. */
  askPeople?: boolean;
  /** Whether people may change the arguments. You must then execute those of the check's `execution`. */
  acceptEdits?: boolean;
  signal?: AbortSignal;
};

/** What the API waits at most, in seconds. */
const MAX_WAIT_SECONDS = 25;

/**
 * Asks whether a request is allowed, and waits for people if they have to decide. Act only if `status` is `allowed`.
 * If an approval was used, it is used up: report how the check's `execution` ended.
 *
 * @throws {ApiError} if the request is invalid, or the token may not ask.
 */
export async function check(
  send: Send,
  request: Schemas["AccessRequest"],
  { waitSeconds = 0, askPeople = true, acceptEdits = false, signal }: CheckOptions = {},
): Promise<Check> {
  const untilMs = performance.now() + waitSeconds * 1000;
  const options = { auto_request: askPeople, accept_edits: acceptEdits };
  const sent = { ...(signal && { signal }) };
  async function ask(wait: number, autoRequest = askPeople): Promise<Check> {
    const body = { request, options: { ...options, auto_request: autoRequest, wait } };
    return (await send("POST /gateway/check", { ...sent, body })).check;
  }
  const first = await ask(findWaitSeconds(untilMs));
  const { approval } = first;
  if (first.status !== "pending" || approval === undefined) return first;
  for (let wait = findWaitSeconds(untilMs); wait > 0; wait = findWaitSeconds(untilMs)) {
    const { status } = (
      await send("GET /gateway/approvals/{id}", { ...sent, id: approval.id, query: { wait } })
    ).approval;
    // An approval that nobody decided isn't asked for again: that would take as long once more.
    if (status !== "pending") return ask(0, status === "approved" || status === "denied");
  }
  return first;
}

function findWaitSeconds(untilMs: number): number {
  const seconds = Math.floor((untilMs - performance.now()) / 1000);
  return Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS);
}

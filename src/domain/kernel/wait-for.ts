import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "./context.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { endInTurn } from "./end-in-turn.ts";
import { requireValidCredential } from "./require-valid-credential.ts";
import { withWait } from "./with-wait.ts";

/** Waiters check at least this often: some changes happen without an event. */
const LOOK_EVERY_MS = 1000;
/** The time from one check of a workspace's waiters to the next: the more wait, the more rarely each checks. */
const LOOK_APART_MS = 5;

const HEAD = share(sql<{ seq: bigint }>`SELECT seq FROM workspace_head WHERE workspace_id = $1::uuid`);

/** How long to wait, how often to check at least, and which events are relevant. */
type WaitOptions = {
  seconds: number;
  everyMs?: number;
  /** Default: all. */
  concerns?: (event: StoredEvent) => boolean;
};

/**
 * Calls `look` until it finds something or the time is over: immediately, at each relevant event of the
 * workspace, and once a second, or more rarely while many wait. Ends early if the client disconnects or the server stops.
 *
 * @returns what was found, or null.
 * @throws {DomainError} invalid_token if the credential is revoked meanwhile; unavailable if it must be
 *   checked again; rate_limited if too many requests of the credential wait.
 */
export async function waitFor<Result>(
  ctx: Ctx,
  waitOptions: WaitOptions,
  look: () => Promise<Result | null>,
): Promise<Result | null> {
  if (waitOptions.seconds === 0) return look();
  return withWait(ctx, (revoked, countOfWorkspace) =>
    pollUntilDeadline(ctx, { ...waitOptions, revoked, countOfWorkspace }, look),
  );
}

type Polling = WaitOptions & { revoked: AbortSignal; countOfWorkspace: () => number };

async function pollUntilDeadline<Result>(
  ctx: Ctx,
  { seconds, everyMs = LOOK_EVERY_MS, concerns, revoked, countOfWorkspace }: Polling,
  look: () => Promise<Result | null>,
): Promise<Result | null> {
  const until = performance.now() + seconds * 1000;
  const ends = [revoked, ctx.signal, ctx.services.stopping].filter((one) => one instanceof AbortSignal);
  for (;;) {
    const seq = await readHeadSeq(ctx);
    revoked.throwIfAborted();
    requireValidCredential(ctx);
    const seen = await look();
    const left = until - performance.now();
    if (seen !== null || left <= 0) return seen;
    const lookMs = Math.max(everyMs, LOOK_APART_MS * countOfWorkspace());
    await waitForNewEvents(ctx, { seq, afterMs: Math.min(left, lookMs), concerns }, ends);
    revoked.throwIfAborted();
    if (ends.some(({ aborted }) => aborted)) return null;
  }
}

async function readHeadSeq(ctx: Ctx): Promise<number> {
  const [head] = await ctx.read(HEAD, [ctx.workspaceId]);
  return Number(head?.seq ?? 0);
}

type EventWait = { seq: number; afterMs: number; concerns: WaitOptions["concerns"] };

/** Waits for a relevant event after `seq`, or one that this node does not have, until the time is over. */
async function waitForNewEvents(
  { services: { live }, workspaceId }: Ctx,
  { seq, afterMs, concerns }: EventWait,
  ends: readonly AbortSignal[],
): Promise<void> {
  const over = new AbortController();
  const ended = new Promise<void>((resolve) => {
    for (const end of ends) {
      if (end.aborted) resolve();
      end.addEventListener("abort", () => endInTurn(resolve), { once: true, signal: over.signal });
    }
  });
  try {
    const end = { afterMs, signal: over.signal, concerns };
    await Promise.race([live.waitForEvents(workspaceId, seq, end), ended]);
  } finally {
    over.abort();
  }
}

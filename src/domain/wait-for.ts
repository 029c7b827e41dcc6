import type { Ctx } from "./context.ts";

/** Whoever waits looks this often at least: time passes without an event. */
const LOOK_EVERY_MS = 1000;

const HEAD = { name: "head_seq", text: "SELECT seq FROM workspace_head WHERE workspace_id = $1::uuid" };

/**
 * Looks until there is something to be seen, for so many seconds at most: at once, whenever the workspace
 * has new events, and once a second. Ends early when the caller goes away or the server stops.
 *
 * @returns what was seen, or null.
 */
export async function waitFor<Result>(
  ctx: Ctx,
  { seconds }: { seconds: number },
  look: () => Promise<Result | null>,
): Promise<Result | null> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const seq = await headOf(ctx);
    const seen = await look();
    const left = until - Date.now();
    if (seen !== null || left <= 0 || hasEnded(ctx)) return seen;
    await untilNews(ctx, seq, Math.min(left, LOOK_EVERY_MS));
    if (hasEnded(ctx)) return null;
  }
}

function hasEnded({ signal, services }: Ctx): boolean {
  return signal?.aborted === true || services.stopping?.aborted === true;
}

async function headOf(ctx: Ctx): Promise<number> {
  const [head] = await ctx.readShared<{ seq: bigint }>(HEAD, [ctx.workspaceId]);
  return Number(head?.seq ?? 0);
}

async function untilNews({ signal, services, workspaceId }: Ctx, seq: number, ms: number): Promise<void> {
  const end = new AbortController();
  const ended = new Promise<void>((resolve) => {
    for (const one of [signal, services.stopping]) {
      one?.addEventListener("abort", () => resolve(), { once: true, signal: end.signal });
    }
  });
  await Promise.race([services.live.waitForEvents(workspaceId, seq, ms), ended]);
  end.abort();
}

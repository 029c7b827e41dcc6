import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { handle, parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { toTraceparent } from "../kernel/server-span.ts";
import { requireValidCredential } from "../kernel/require-valid-credential.ts";
import { withWait } from "../kernel/with-wait.ts";
import { claimInTurn } from "./claim-turns.ts";
import { claimStatement, readyStatement } from "./claim-statement.ts";
import { createLeaseToken } from "./lease.ts";
import { taskEvent } from "./task-event.ts";
import { releaseTask } from "./release-task.ts";
import { placeAttempt } from "./task-span.ts";

const shape = z.object({
  queues: z
    .array(handle)
    .min(1, "must name at least one queue")
    .max(LIMITS.claimQueues, `must name at most ${LIMITS.claimQueues} queues`)
    .default(["default"]),
  leaseSeconds: wholeNumber(LIMITS.leaseSeconds).default(LIMITS.leaseSeconds.default),
  waitSeconds: wholeNumber(LIMITS.pollSeconds).default(LIMITS.pollSeconds.default),
});

/**
 * The right to work on a task until it expires. The token is returned only here. `traceparent`: what the work belongs to,
 * for its spans.
 */
export type Lease = { token: string; expiresAt: Date; attempt: number; traceparent: string };

/** A claimed task with its lease. */
export type Claim = { task: Task; lease: Lease };

/**
 * Claims the next task of the given queues: highest priority first, then longest ready. Assigned tasks can
 * only be claimed by their agent. Waits for a task if asked to.
 *
 * @returns null if there is none, or if the agent is paused or stopped.
 * @throws {DomainError} insufficient_scope without `tasks:work`; validation_failed.
 */
export async function claimTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Claim | null> {
  requireScope(ctx, "tasks:work");
  const { id: agentId } = requireAgent(ctx);
  const { queues, leaseSeconds, waitSeconds } = parseInput(shape, input);
  const ask = { agentId, queues: [...new Set(queues)], leaseSeconds };
  const claim = (await claimNext(ctx, ask)) ?? (await waitAndClaim(ctx, ask, waitSeconds));
  if (claim === null || ctx.signal?.aborted !== true) return claim;
  // The caller has disconnected.
  await releaseTask(ctx, { id: claim.task.id, leaseToken: claim.lease.token });
  return null;
}

type Ask = { agentId: string; queues: string[]; leaseSeconds: number };

/** Many callers wait and few claim, so a turn begins with a check without a transaction. */
async function waitAndClaim(ctx: Ctx, ask: Ask, seconds: number): Promise<Claim | null> {
  if (seconds === 0) return null;
  const untilMs = performance.now() + seconds * 1000;
  return withWait(ctx, async (revoked) => {
    const ends = [revoked, ctx.signal, ctx.services.stopping].filter((one) => one instanceof AbortSignal);
    const claim = await claimInTurn(ctx, { ...ask, untilMs, ends }, async () => {
      requireValidCredential(ctx);
      return (await isReady(ctx, ask)) ? claimNext(ctx, ask) : null;
    });
    if (claim === null) revoked.throwIfAborted();
    return claim;
  });
}

async function isReady(ctx: Ctx, { agentId, queues }: Ask): Promise<boolean> {
  const values = [ctx.workspaceId, agentId, ...queues];
  const [ready] = await ctx.read(readyStatement(queues.length), values);
  return ready !== undefined;
}

async function claimNext(ctx: Ctx, { agentId, queues, leaseSeconds }: Ask): Promise<Claim | null> {
  const { secret, digest } = createLeaseToken();
  return ctx.transaction(async (tx) => {
    const [task] = await tx.run(claimStatement(queues.length), [
      ctx.workspaceId,
      agentId,
      ...queues,
      leaseSeconds,
      digest,
    ]);
    if (task === undefined) return null;
    append(tx, {
      events: [taskEvent("task.updated", task)],
      totals: [{ collection: "tasks", from: "submitted", to: "working" }],
    });
    // The statement has set it.
    const expiresAt = task.leaseExpiresAt as Date;
    const traceparent = toTraceparent(placeAttempt(task));
    return { task, lease: { token: secret, expiresAt, attempt: task.attempt, traceparent } };
  });
}

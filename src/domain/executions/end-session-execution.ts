import { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import { ExecutionEffect } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { completeExecution } from "./complete-execution.ts";
import { failExecution } from "./fail-execution.ts";

const shape = z.object({
  sessionKey: text(LIMITS.sessionKeyLength),
  error: z
    .object({ code: text(LIMITS.errorCodeLength).nullish(), message: text(LIMITS.textLength) })
    .nullish(),
  effect: z.enum(ExecutionEffect).default("unknown"),
});

/**
 * Ends the execution that the calling agent opened with a session key: with an error it failed, having had the
 * effect.
 *
 * @returns null if there is none, as where no person had to approve.
 * @throws {DomainError} as completeExecution and failExecution.
 */
export async function endSessionExecution(ctx: Ctx, input: z.input<typeof shape>): Promise<Execution | null> {
  requireScope(ctx, "gateway:check");
  const { id: agentId } = requireAgent(ctx);
  const { sessionKey, error, effect } = parseInput(shape, input);
  const { workspaceId } = ctx;
  const found = await ctx.db.execution.findUnique({
    select: { id: true, fence: true },
    where: { workspaceId_agentId_sessionKey: { workspaceId, agentId, sessionKey } },
  });
  if (found === null) return null;
  const call = { id: found.id, fence: Number(found.fence) };
  if (error === undefined || error === null) return completeExecution(ctx, call);
  return failExecution(ctx, { ...call, error, effect });
}

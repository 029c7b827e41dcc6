import type { Approval } from "../../db/generated/client.ts";
import { lockAgents } from "../agent-commands/insert-agent-command.ts";
import { toOrderVerdict } from "../gateway-checks/decide-order.ts";
import { decideByPolicies } from "../gateway-checks/decide-request.ts";
import { readGateStateIn } from "../gateway-checks/gate-state.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import type { Verdict } from "../policies/decide.ts";
import { holdStops, requireNoStop } from "../stops/is-stopped.ts";
import { replaceArguments } from "./find-approved-request.ts";

/**
 * Asks the policies again about a command that waits, before a person's approval sends it. Locks the workspace and
 * its agent.
 *
 * @param args in the place of its params; null for no others.
 * @throws {DomainError} emergency_stop if a stop covers its agent.
 */
export async function prepareOrder(
  tx: Transaction,
  approval: Approval & { commandId: string },
  args: Record<string, unknown> | null,
): Promise<{ asked: AccessRequest; verdict: Verdict }> {
  const { ctx, db } = tx;
  const { agentId: callerId, commandId, editedArguments } = approval;
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: commandId } };
  const command = await db.agentCommand.findUnique({ where, select: { agentId: true, params: true } });
  if (command === null) throw createNotFoundError("command");
  await holdStops(tx);
  await lockAgents(tx, [command.agentId]);
  await requireNoStop(tx, [command.agentId]);
  // Written by decideOrder, but for secrets, which are in the command.
  const stored = approval.request as unknown as AccessRequest;
  const asked = replaceArguments(stored, args ?? editedArguments ?? command.params);
  const state = await readGateStateIn(tx, [asked], callerId);
  const decided = await decideByPolicies(ctx, state, { asked, callerId });
  return { asked, verdict: toOrderVerdict(decided) };
}

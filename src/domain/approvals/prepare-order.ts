import type { Approval } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { lockAgents } from "../agent-commands/insert-agent-command.ts";
import { combineVerdicts } from "../gateway-checks/combine-verdicts.ts";
import { toOrderVerdict } from "../gateway-checks/decide-order.ts";
import { decideByPolicies } from "../gateway-checks/decide-request.ts";
import { readGateStateIn } from "../gateway-checks/gate-state.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { listAllowedRobots } from "../missions/decide-mission.ts";
import { toPlanArguments } from "../missions/mission-plan.ts";
import type { Verdict } from "../policies/decide.ts";
import { holdStops, requireNoStop } from "../stops/is-stopped.ts";
import { replaceArguments } from "./find-approved-request.ts";

/**
 * Asks the policies again about a command or mission that waits, before a person's approval sends it: of a mission
 * open to several robots, about each. Locks the workspace and its agents.
 *
 * @param args in the place of its own; null for no others.
 * @throws {DomainError} emergency_stop if a stop covers an agent.
 */
export async function prepareOrder(
  tx: Transaction,
  approval: Approval,
  args: Record<string, unknown> | null,
): Promise<{ asked: AccessRequest; verdict: Verdict }> {
  const callerId = approval.agentId;
  const order = await findOrder(tx, approval);
  await holdStops(tx);
  await lockAgents(tx, order.agentIds);
  await requireNoStop(tx, order.agentIds);
  const editedArguments = args === null ? await readEditedArguments(tx, approval.id) : null;
  // Written by decideOrder, but for secrets, which are in the order.
  const stored = approval.request as unknown as AccessRequest;
  const asked = replaceArguments(stored, args ?? editedArguments ?? order.args);
  const requests = order.agentIds.map((id) => ({
    ...asked,
    resource: { type: "agent", id, properties: {} },
  }));
  const state = await readGateStateIn(tx, requests, callerId);
  const verdicts: Verdict[] = [];
  for (const request of requests) {
    verdicts.push((await decideByPolicies(tx.ctx, state, { asked: request, callerId })).verdict);
  }
  return { asked, verdict: toOrderVerdict({ asked, verdict: combineVerdicts(verdicts) }) };
}

/** Whoever else changes them locks the agents before. */
async function readEditedArguments({ run, ctx }: Transaction, id: string): Promise<unknown> {
  const [row] = await run(EDITED, [ctx.workspaceId, id]);
  return row?.args ?? null;
}

const EDITED = sql<{ args: unknown }>`
SELECT edited_arguments AS args FROM approval WHERE workspace_id = $1::uuid AND id = $2::uuid`;

async function findOrder(
  { db, ctx }: Transaction,
  { commandId, missionId }: Approval,
): Promise<{ agentIds: string[]; args: unknown }> {
  const { workspaceId } = ctx;
  if (missionId === null) {
    const where = { workspaceId_id: { workspaceId, id: commandId ?? "" } };
    const command = await db.agentCommand.findUnique({ where, select: { agentId: true, params: true } });
    if (command === null) throw createNotFoundError("command");
    return { agentIds: [command.agentId], args: command.params };
  }
  const where = { workspaceId_id: { workspaceId, id: missionId } };
  const include = { steps: { orderBy: { seq: "asc" } } } as const;
  const mission = await db.mission.findUnique({ where, include });
  if (mission === null) throw createNotFoundError("mission");
  return { agentIds: listAllowedRobots(mission), args: toPlanArguments(mission) };
}

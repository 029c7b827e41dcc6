import { sql } from "../../db/sql.ts";
import type { Mission, Prisma } from "../../db/generated/client.ts";
import { lockAgents } from "../agent-commands/insert-agent-command.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import { requireNotDenied } from "../gateway-checks/ask-about-order.ts";
import { combineVerdicts } from "../gateway-checks/combine-verdicts.ts";
import { type OrderDecision, decideOrder, isUnderPolicies } from "../gateway-checks/decide-order.ts";
import { CREATE_MISSION } from "../gateway-checks/resolve-entities.ts";
import type { NoteDecisions } from "../gateway-checks/with-order-log.ts";
import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { requireNoStop } from "../stops/is-stopped.ts";
import { isSelectedSql } from "./fit-robots.ts";

/** A new mission, as policies see it. */
type DecidedMission = {
  id: string;
  robotId?: string | null | undefined;
  selector?: object | null | undefined;
  taskId?: string | null | undefined;
  /** What its robot is to do. */
  args: object;
};

/** What the policies say to a new mission. */
export type MissionDecision = Pick<Mission, "allowedRobotIds" | "decisionId" | "approvalId"> & {
  /** What people are asked; null for nothing. */
  question: OrderDecision | null;
};

const UNDECIDED: MissionDecision = {
  allowedRobotIds: [],
  decisionId: null,
  approvalId: null,
  question: null,
};

/**
 * Decides a new mission by policies, for its robot or for each that it leaves open. It may be assigned to those for
 * which they allow it. If there is none, people are asked about those for which policies ask. The workspace is locked.
 *
 * @param generation that of the workspace's policies.
 * @throws {DomainError} policy_denied if they deny all; validation_failed if there is no robot to decide about, or
 *   more than 500; emergency_stop if people are to be asked about a robot that a stop covers.
 */
export async function decideMission(
  tx: Transaction,
  mission: DecidedMission,
  { generation, note }: { generation: number; note: NoteDecisions },
): Promise<MissionDecision> {
  if (!(await isUnderPolicies(tx, CREATE_MISSION, generation))) return UNDECIDED;
  const { args, robotId, taskId } = mission;
  const agentIds = robotId ? [robotId] : await listCandidates(tx, mission.selector);
  const context = taskId ? { task_id: taskId } : {};
  const order = { action: CREATE_MISSION, args, agentIds, context };
  const decisions = (await decideOrder(tx, order, generation)) ?? [];
  const [allowed, asked] = [selectBy(decisions, "allow"), selectBy(decisions, "ask")];
  const question = allowed.length > 0 ? null : await joinQuestions(tx, mission.id, asked);
  const approvalId = question?.row.approvalId ?? null;
  const rows = listDistinct(decisions.map(({ row }) => row));
  note(rows.map((row) => ({ ...row, approvalId: row.approvalId === null ? null : approvalId })));
  const meant = allowed.length > 0 ? allowed : asked;
  const [first] = meant;
  if (first === undefined) requireNotDenied(tx, decisions);
  const allowedRobotIds = robotId ? [] : meant.map(({ agentId }) => agentId);
  return { allowedRobotIds, decisionId: first?.row.id ?? null, approvalId, question };
}

/** The robots for which a mission was decided, of one that policies were asked about. */
export function listAllowedRobots({
  requestedRobotId,
  allowedRobotIds,
}: Pick<Mission, "requestedRobotId" | "allowedRobotIds">): string[] {
  return requestedRobotId === null ? allowedRobotIds : [requestedRobotId];
}

/** The robots that an open mission might be assigned to, whatever they do at the moment. */
async function listCandidates(
  { run, ctx }: Transaction,
  selector: DecidedMission["selector"],
): Promise<string[]> {
  const robots = await run(CANDIDATES, [ctx.workspaceId, JSON.stringify(selector ?? {})]);
  const needed = "policies decide about each robot that it might be assigned to";
  if (robots.length === 0) throw createFieldError("selector", `matches no robot, and ${needed}`);
  if (robots.length <= LIMITS.commandAgents) return robots.map(({ id }) => id);
  throw createFieldError("selector", `matches more than ${LIMITS.commandAgents} robots, and ${needed}`);
}

const CANDIDATES = sql<{ id: string }>`
SELECT f.id FROM (
  SELECT r.id, r.fleet, a.labels FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
  WHERE r.workspace_id = $1::uuid AND a.archived_at IS NULL
) f WHERE ${isSelectedSql("$2::jsonb")} ORDER BY f.id LIMIT ${LIMITS.commandAgents + 1}`;

function selectBy(
  decisions: readonly OrderDecision[],
  outcome: Prisma.DecisionCreateManyInput["outcome"],
): OrderDecision[] {
  return decisions.filter(({ verdict }) => verdict.outcome === outcome);
}

/** One question about all robots: of several, about the mission itself. Null for none. */
async function joinQuestions(
  tx: Transaction,
  missionId: string,
  asked: readonly OrderDecision[],
): Promise<OrderDecision | null> {
  const [first] = asked;
  if (first === undefined) return null;
  const agentIds = asked.map(({ agentId }) => agentId);
  // So that whoever stops or archives one of them finds the question.
  await lockAgents(tx, agentIds);
  await requireNoStop(tx, agentIds);
  if (asked.length === 1) return first;
  const resource = { type: "mission", id: missionId, properties: {} };
  const verdict = combineVerdicts(asked.map((one) => one.verdict));
  return { ...first, asked: { ...first.asked, resource }, verdict };
}

/** One row for each outcome that the same policies made: that of its first robot. */
function listDistinct(rows: readonly DecisionRow[]): DecisionRow[] {
  const byVerdict = new Map<string, DecisionRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.outcome, row.reason, row.matched]);
    if (!byVerdict.has(key)) byVerdict.set(key, row);
  }
  return [...byVerdict.values()];
}

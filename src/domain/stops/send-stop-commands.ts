import { STOP_TABLE, selectList } from "../../db/columns.ts";
import type { Stop as StopRow } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { type NewAgentCommands, insertForLockedAgents } from "../agent-commands/insert-agent-command.ts";
import { cancelApprovalsOfAgents } from "../approvals/cancel-pending-approvals.ts";
import { revokeApprovalsOfAgents } from "../approvals/revoke-approvals-of-agents.ts";
import type { ActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { requestHeldTasksCancel } from "../tasks/request-held-tasks-cancel.ts";
import { isInScopeSql, isResumedSql, isStoppedSql } from "./is-stopped.ts";
import { type Stop, toStop } from "./stop.ts";

/** Agents per transaction: few enough for its time limit. */
const BATCH = 500;

type Recipient = { id: string; kind: string; isMeant: boolean };

/**
 * Sends the commands of a stop or of its release to all of its agents. The stop is in effect without them: a failure
 * is logged, and the sweep sends those that are missing.
 */
export async function sendCommandsOfStop(ctx: Ctx, stopId: string): Promise<void> {
  try {
    while (await sendNextCommands(ctx, stopId));
  } catch (error) {
    ctx.log.error({ err: error, stopId }, "commands of a stop could not be sent; the sweep sends them");
  }
}

/** Sends them to the next agents, 500 at most. @returns whether there may be more. */
export async function sendNextCommands(ctx: Ctx, stopId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const [row] = await tx.run(LOCK_STOP, [ctx.workspaceId, stopId]);
    if (row === undefined) return false;
    const stop = toStop(row);
    if (stop.sent) return stop.releasedAt === null && (await resumeNext(tx, stop));
    const isStanding = stop.releasedAt === null;
    const agents = await tx.run(LOCK_AGENTS, [ctx.workspaceId, stopId, stop.sentTo, isStanding]);
    const meant = agents.filter(({ isMeant }) => isMeant);
    const sent = isStanding ? await stopAgents(tx, stop, meant) : await resumeReleased(tx, stop, meant);
    const isLast = agents.length < BATCH;
    await tx.run(ADVANCE, [ctx.workspaceId, stopId, agents.at(-1)?.id ?? stop.sentTo, isLast]);
    if (isLast && !isStanding) await tx.run(FORGET_RESUMED, [ctx.workspaceId, stopId]);
    if (meant.length > 0) append(tx, { ...sent, isUrgent: isStanding });
    return !isLast || isStanding;
  }, "urgent");
}

const LOCK_STOP = sql<StopRow>`
SELECT ${selectList("s", STOP_TABLE)} FROM stop s
WHERE s.workspace_id = $1::uuid AND s.id = $2::uuid FOR NO KEY UPDATE`;

/**
 * The next agents in the order of ids, in which everybody locks them. A stop is for those that existed; a release for
 * those that may work now. A stop that is not visible here sends its command afterwards.
 */
const LOCK_AGENTS = sql<Recipient>`
SELECT a.id, a.kind::text, CASE WHEN $4::boolean THEN NOT ${isResumedSql("a", "s")}
  ELSE a.control_state = 'active' AND NOT ${isStoppedSql("a")} AND NOT EXISTS (
    SELECT FROM resumed_agent r
    WHERE r.workspace_id = s.workspace_id AND r.stop_id = s.id AND r.agent_id = a.id AND r.sent)
  END AS "isMeant"
FROM stop s JOIN agent a ON a.workspace_id = s.workspace_id AND a.archived_at IS NULL AND ${isInScopeSql("a", "s")}
  AND (a.created_at <= s.at OR NOT $4::boolean)
WHERE s.workspace_id = $1::uuid AND s.id = $2::uuid AND ($3::uuid IS NULL OR a.id > $3::uuid)
ORDER BY a.id LIMIT ${BATCH} FOR NO KEY UPDATE OF a`;

const ADVANCE = sql`
UPDATE stop SET sent_to = $3::uuid, sent = $4::boolean WHERE workspace_id = $1::uuid AND id = $2::uuid`;

const FORGET_RESUMED = sql`DELETE FROM resumed_agent WHERE workspace_id = $1::uuid AND stop_id = $2::uuid`;

async function stopAgents(tx: Transaction, stop: Stop, agents: readonly Recipient[]): Promise<AppendContent> {
  const ids = agents.map(({ id }) => id);
  const robots = agents.filter(({ kind }) => kind === "robot").map(({ id }) => id);
  return mergeAppends(
    await cancelApprovalsOfAgents(tx, ids),
    await requestHeldTasksCancel(tx, ids),
    await revokeApprovalsOfAgents(tx, { agentIds: ids, by: stop.by, reason: stop.reason }),
    await issue(tx, { ...buildStopCommand(stop), agentIds: robots, type: "robot.stop" }),
    await issue(tx, { ...buildStopCommand(stop), agentIds: ids, type: "agent.stop" }),
  );
}

/** The longest expiry, so that agents that come back during the stop get the command. */
function buildStopCommand({ id, reason, by }: Stop): Omit<NewAgentCommands, "agentIds" | "type"> {
  return {
    batchId: id,
    params: { reason, emergency_stop: true },
    priority: "urgent",
    expiresInSeconds: LIMITS.commandExpirySeconds.max,
    issuedBy: by,
  };
}

async function resumeReleased(
  tx: Transaction,
  { id, releasedBy, releaseReason }: Stop,
  agents: readonly Recipient[],
): Promise<AppendContent> {
  const agentIds = agents.map((agent) => agent.id);
  return resume(tx, agentIds, { batchId: id, reason: releaseReason, by: releasedBy });
}

/** Sends the next agents that a stage has resumed their command. @returns whether there may be more. */
async function resumeNext(tx: Transaction, stop: Stop): Promise<boolean> {
  const { ctx, run } = tx;
  const resumed = await run(LOCK_RESUMED, [ctx.workspaceId, stop.id]);
  if (resumed.length === 0) return false;
  const appended: AppendContent[] = [];
  for (const { id, reason, by } of stop.stages) {
    const meant = resumed.filter(({ stageId, isMeant }) => stageId === id && isMeant);
    const agentIds = meant.map(({ agentId }) => agentId);
    if (agentIds.length > 0) appended.push(await resume(tx, agentIds, { batchId: id, reason, by }));
  }
  await run(NOTE_RESUMED, [ctx.workspaceId, stop.id, resumed.map(({ agentId }) => agentId)]);
  if (appended.length > 0) append(tx, mergeAppends(...appended));
  return resumed.length === BATCH;
}

const LOCK_RESUMED = sql<{ agentId: string; stageId: string; isMeant: boolean }>`
SELECT a.id AS "agentId", r.stage_id AS "stageId",
  a.archived_at IS NULL AND a.control_state = 'active' AND NOT ${isStoppedSql("a")} AS "isMeant"
FROM resumed_agent r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.agent_id
WHERE r.workspace_id = $1::uuid AND r.stop_id = $2::uuid AND NOT r.sent
ORDER BY a.id LIMIT ${BATCH} FOR NO KEY UPDATE OF a`;

const NOTE_RESUMED = sql`
UPDATE resumed_agent SET sent = true
WHERE workspace_id = $1::uuid AND stop_id = $2::uuid AND agent_id = ANY($3::uuid[])`;

type Resumption = { batchId: string; reason: string | null; by: ActorRecord | null };

async function resume(
  tx: Transaction,
  agentIds: readonly string[],
  { batchId, reason, by }: Resumption,
): Promise<AppendContent> {
  const params = { ...(reason !== null && { reason }) };
  return issue(tx, {
    agentIds,
    batchId,
    type: "agent.resume",
    params,
    priority: "urgent",
    ...(by !== null && { issuedBy: by }),
  });
}

/** The agents' rows are locked. */
async function issue(tx: Transaction, commands: NewAgentCommands): Promise<AppendContent> {
  return (await insertForLockedAgents(tx, commands)).appended;
}

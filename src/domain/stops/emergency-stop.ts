import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { CLOCK, NOW, sql } from "../../db/sql.ts";
import type { Workspace } from "../../db/generated/client.ts";
import { cancelApprovalsOfAgents } from "../approvals/cancel-pending-approvals.ts";
import { createActorRecord } from "../kernel/actor.ts";
import { type NewAgentCommands, insertForLockedAgents } from "../agent-commands/insert-agent-command.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { requestHeldTasksCancel } from "../tasks/request-held-tasks-cancel.ts";

const shape = z.object({ reason: text(LIMITS.textLength) });

type Reason = z.input<typeof shape>;
type Addressee = { id: string; kind: string };

/**
 * A round of commands to the agents of a workspace: of an active emergency stop, whose id is `batchId`, or of a
 * release, which addresses active agents only.
 */
type Round = {
  batchId: string;
  isStop: boolean;
  issue: (tx: Transaction, agents: Addressee[]) => Promise<AppendContent>;
};

/** Agents per transaction: few enough for its time limit. */
const BATCH = 1000;

const FROM_THE_FIRST = { after: null, stoppedAt: null };

/**
 * Stops all agents of the workspace. Takes effect immediately: nothing can be claimed, and the cancellation
 * of held tasks is requested. Every agent is sent a command: 1,000 with the stop itself, the others in
 * later transactions. If those fail, repeating the call or `sweepEmergencyStops` continues. Not an
 * emergency stop in the sense of functional safety.
 *
 * @throws {DomainError} forbidden below operator, and for agents; validation_failed.
 */
export async function emergencyStop(ctx: Ctx, input: Reason): Promise<Workspace> {
  requireRole(ctx, "operator");
  const { reason } = parseInput(shape, input);
  const { workspace, others, last } = await ctx.transaction(async (tx) => {
    const before = await lockWorkspace(tx);
    if (before.emergencyStopAt !== null)
      return { workspace: before, others: getStopRound(before), last: null };
    const stopId = uuidv7();
    const stopped = await setStop(tx, { id: stopId, reason });
    const round = createStopRound(stopId, reason);
    const { recipients, ...next } = await lockNextAgents(tx, round, FROM_THE_FIRST);
    const stop = buildStopAppend(stopped, "workspace.emergency_stopped", reason);
    const content = mergeAppends(stop, { events: [], totals: [...SHOWN] }, await round.issue(tx, recipients));
    append(tx, { ...content, isUrgent: true });
    return { workspace: stopped, others: next.last === null ? null : round, ...next };
  }, "urgent");
  if (others !== null) await commandOthers(ctx, others, last);
  return workspace;
}

/**
 * Releases the emergency stop. Agents that were not paused or stopped themselves are sent a resume command;
 * canceled tasks stay canceled. 1,000 are sent it with the release itself, the others in later transactions.
 * If those fail, start and release the stop again.
 *
 * @throws {DomainError} forbidden below admin, and for agents; validation_failed; invalid_state if there is
 *   no emergency stop.
 */
export async function releaseEmergencyStop(ctx: Ctx, input: Reason): Promise<Workspace> {
  requireRole(ctx, "admin");
  const { reason } = parseInput(shape, input);
  const round = createReleaseRound(reason);
  const { workspace, last } = await ctx.transaction(async (tx) => {
    const before = await lockWorkspace(tx);
    if (before.emergencyStopAt === null)
      throw new DomainError("invalid_state", "There is no emergency stop.");
    const released = await setStop(tx, null);
    const { recipients, ...next } = await lockNextAgents(tx, round, FROM_THE_FIRST);
    const release = buildStopAppend(released, "workspace.emergency_stop_released", reason);
    const issued = await round.issue(tx, recipients);
    append(tx, mergeAppends(release, { events: [], totals: [...SHOWN] }, issued));
    return { workspace: released, ...next };
  });
  if (last !== null) await commandOthers(ctx, round, last);
  return workspace;
}

/** Sends the command of an active emergency stop to the agents that were not sent it yet. */
export async function continueEmergencyStop(ctx: Ctx): Promise<void> {
  const round = getStopRound(await ctx.db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } }));
  if (round !== null) await commandOthers(ctx, round, null);
}

/** The round of an active stop: some agents may be left if the call that stopped them was interrupted. */
function getStopRound({ emergencyStopId, emergencyStopReason }: Workspace): Round | null {
  return emergencyStopId === null ? null : createStopRound(emergencyStopId, emergencyStopReason ?? "");
}

function createStopRound(stopId: string, reason: string): Round {
  const command = stopCommand(stopId, reason);
  return {
    ...{ batchId: stopId, isStop: true },
    issue: async (tx, agents) => {
      const ids = agents.map(({ id }) => id);
      const robots = agents.filter(({ kind }) => kind === "robot").map(({ id }) => id);
      const issued = await issueCommands(tx, [
        { ...command, agentIds: robots, type: "robot.stop" },
        { ...command, agentIds: ids, type: "agent.stop" },
      ]);
      return mergeAppends(
        await requestHeldTasksCancel(tx, ids),
        await cancelApprovalsOfAgents(tx, ids),
        issued,
      );
    },
  };
}

function createReleaseRound(reason: string): Round {
  const batchId = uuidv7();
  return {
    ...{ batchId, isStop: false },
    issue: async (tx, agents) => {
      const agentIds = agents.map(({ id }) => id);
      return issueCommands(tx, [
        { agentIds, batchId, type: "agent.resume", params: { reason }, priority: "urgent" },
      ]);
    },
  };
}

/**
 * Continues after an agent until all were sent the command, or the workspace is stopped or released again.
 */
async function commandOthers(ctx: Ctx, round: Round, first: string | null): Promise<void> {
  const { batchId, isStop } = round;
  let after = first;
  async function commandBatch(tx: Transaction): Promise<string | null> {
    const { emergencyStopId, emergencyStopAt } = await lockWorkspace(tx);
    if (emergencyStopId !== (isStop ? batchId : null)) return null;
    const { recipients, last } = await lockNextAgents(tx, round, { after, stoppedAt: emergencyStopAt });
    if (recipients.length > 0) append(tx, { ...(await round.issue(tx, recipients)), isUrgent: isStop });
    return last;
  }
  do after = await ctx.transaction(commandBatch, isStop ? "urgent" : "usual");
  while (after !== null);
}

/** The lists that show whether agents and robots are stopped. */
const SHOWN = [
  { collection: "agents", from: null, to: null },
  { collection: "robots", from: null, to: null },
] as const;

/** The longest expiry, so that agents that come back during the stop get the command. */
function stopCommand(batchId: string, reason: string): Omit<NewAgentCommands, "agentIds" | "type"> {
  return {
    batchId,
    params: { reason, emergency_stop: true },
    priority: "urgent",
    expiresInSeconds: LIMITS.commandExpirySeconds.max,
  };
}

async function setStop(
  { run, db, ctx }: Transaction,
  stop: { id: string; reason: string } | null,
): Promise<Workspace> {
  await run(UPDATE, [
    ctx.workspaceId,
    stop?.reason ?? null,
    stop && JSON.stringify(createActorRecord(ctx.actor)),
    stop?.id ?? null,
  ]);
  return db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
}

const UPDATE = sql`
UPDATE workspace SET
  emergency_stop_at = CASE WHEN $2::text IS NOT NULL THEN ${CLOCK} END,
  emergency_stop_by = $3::jsonb, emergency_stop_reason = $2, emergency_stop_id = $4::uuid,
  generation = generation + 1,
  updated_at = ${NOW}
WHERE id = $1::uuid`;

/**
 * Locks the next agents after an id, ordered by id, as everywhere. `recipients` are those that the round must
 * send the command to; agents created after an active stop are not among them.
 */
async function lockNextAgents(
  { run, ctx }: Transaction,
  { batchId, isStop }: Round,
  { after, stoppedAt }: { after: string | null; stoppedAt: Date | null },
): Promise<{ recipients: Addressee[]; last: string | null }> {
  const agents = await run(LOCK_AGENTS, [ctx.workspaceId, after, !isStop, stoppedAt]);
  const sent = await run(SENT, [ctx.workspaceId, batchId, agents.map(({ id }) => id)]);
  const known = new Set(sent.map(({ id }) => id));
  return {
    recipients: agents.filter(({ id, isMeant }) => isMeant && !known.has(id)),
    last: agents.length < BATCH ? null : (agents.at(-1)?.id ?? null),
  };
}

const LOCK_AGENTS = sql<Addressee & { isMeant: boolean }>`
SELECT id, kind::text, (NOT $3::boolean OR control_state = 'active')
  AND ($4::timestamptz IS NULL OR created_at <= $4::timestamptz) AS "isMeant"
FROM agent WHERE workspace_id = $1::uuid AND archived_at IS NULL AND ($2::uuid IS NULL OR id > $2::uuid)
ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`;

const SENT = sql<{ id: string }>`
SELECT agent_id AS id FROM agent_command
WHERE workspace_id = $1::uuid AND batch_id = $2::uuid AND agent_id = ANY ($3::uuid[])`;

/** The agents' rows are locked. */
async function issueCommands(tx: Transaction, commands: NewAgentCommands[]): Promise<AppendContent> {
  const issued: AppendContent[] = [];
  for (const command of commands) issued.push((await insertForLockedAgents(tx, command)).appended);
  return mergeAppends(...issued);
}

function buildStopAppend({ id, generation }: Workspace, action: string, reason: string) {
  return {
    events: [{ type: action, subjectType: "workspace", subjectId: id, data: { generation, reason } }],
    audit: [{ action, targetType: "workspace", targetId: id, changes: { reason } }],
  };
}

import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Workspace } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import { type NewAgentCommands, insertAgentCommands } from "../agent-commands/insert-agent-command.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { requestHeldTasksCancel } from "../tasks/request-held-tasks-cancel.ts";

const shape = z.object({ reason: text(LIMITS.textLength) });

type Reason = z.input<typeof shape>;
type Stopped = { id: string; kind: string; controlState: string };

/**
 * Stops all agents of the workspace. Takes effect immediately: nothing can be claimed, and the cancellation
 * of held tasks is requested. Every agent is sent a command. Not an emergency stop in the sense of
 * functional safety.
 *
 * @throws {DomainError} forbidden below operator, and for agents; validation_failed.
 */
export async function emergencyStop(ctx: Ctx, input: Reason): Promise<Workspace> {
  requireRole(ctx, "operator");
  const { reason } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const before = await lockWorkspace(tx);
    if (before.emergencyStopAt !== null) return before;
    const stopId = uuidv7();
    const workspace = await setStop(tx, { id: stopId, reason });
    const agents = await lockUnarchivedAgents(tx);
    const ids = agents.map(({ id }) => id);
    const robots = agents.filter(({ kind }) => kind === "robot").map(({ id }) => id);
    const issued = await issueCommands(tx, [
      { ...stopCommand(stopId, reason), agentIds: robots, type: "robot.stop" },
      { ...stopCommand(stopId, reason), agentIds: ids, type: "agent.stop" },
    ]);
    const held = await requestHeldTasksCancel(tx, ids);
    const stop = buildStopAppend(workspace, "workspace.emergency_stopped", reason);
    append(tx, {
      events: [...stop.events, ...held.events, ...issued.events],
      totals: [...SHOWN, ...held.totals, ...issued.totals],
      audit: stop.audit,
      isUrgent: true,
    });
    return workspace;
  }, "urgent");
}

/**
 * Releases the emergency stop. Agents that were not paused or stopped themselves are sent a resume command;
 * canceled tasks stay canceled.
 *
 * @throws {DomainError} forbidden below admin, and for agents; validation_failed; invalid_state if there is
 *   no emergency stop.
 */
export async function releaseEmergencyStop(ctx: Ctx, input: Reason): Promise<Workspace> {
  requireRole(ctx, "admin");
  const { reason } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const before = await lockWorkspace(tx);
    if (before.emergencyStopAt === null)
      throw new DomainError("invalid_state", "There is no emergency stop.");
    const workspace = await setStop(tx, null);
    const active = (await lockUnarchivedAgents(tx)).filter(({ controlState }) => controlState === "active");
    const agentIds = active.map(({ id }) => id);
    const issued = await issueCommands(tx, [
      { agentIds, type: "agent.resume", params: { reason }, priority: "urgent" },
    ]);
    const release = buildStopAppend(workspace, "workspace.emergency_stop_released", reason);
    append(tx, {
      ...release,
      events: [...release.events, ...issued.events],
      totals: [...SHOWN, ...issued.totals],
    });
    return workspace;
  });
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

async function lockWorkspace({ run, db, ctx }: Transaction): Promise<Workspace> {
  await run(LOCK, [ctx.workspaceId]);
  return db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
}

const LOCK = sql`SELECT 1 FROM workspace WHERE id = $1::uuid FOR NO KEY UPDATE`;

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
  emergency_stop_at = CASE WHEN $2::text IS NOT NULL THEN ${NOW} END,
  emergency_stop_by = $3::jsonb, emergency_stop_reason = $2, emergency_stop_id = $4::uuid,
  generation = generation + 1,
  updated_at = ${NOW}
WHERE id = $1::uuid`;

/** Locks all at once, ordered by id, as everywhere. */
async function lockUnarchivedAgents({ run, ctx }: Transaction): Promise<Stopped[]> {
  return run(LOCK_AGENT, [ctx.workspaceId]);
}

const LOCK_AGENT = sql<Stopped>`
SELECT id, kind::text, control_state::text AS "controlState" FROM agent
WHERE workspace_id = $1::uuid AND archived_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

async function issueCommands(tx: Transaction, commands: NewAgentCommands[]) {
  const issued: Awaited<ReturnType<typeof insertAgentCommands>>["appended"] = { events: [], totals: [] };
  for (const command of commands) {
    const { appended } = await insertAgentCommands(tx, command);
    issued.events.push(...appended.events);
    issued.totals.push(...appended.totals);
  }
  return issued;
}

function buildStopAppend({ id, generation }: Workspace, action: string, reason: string) {
  return {
    events: [{ type: action, subjectType: "workspace", subjectId: id, data: { generation, reason } }],
    audit: [{ action, targetType: "workspace", targetId: id, changes: { reason } }],
  };
}

import { share, sql } from "../../db/sql.ts";
import type { AgentKind } from "../../db/generated/enums.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";

/**
 * SQL condition: agent `agent` is in the scope of stop `stop`. Whether it was resumed is left out.
 */
export function isInScopeSql(agent: string, stop: string): string {
  return `(${stop}.kind IS NULL OR ${stop}.kind = ${agent}.kind) AND ${agent}.labels @> ${stop}.labels`;
}

/** SQL condition: stop `stop` resumed agent `agent`. */
export function isResumedSql(agent: string, stop: string): string {
  return `EXISTS (SELECT FROM resumed_agent resumed WHERE resumed.workspace_id = ${stop}.workspace_id
    AND resumed.stop_id = ${stop}.id AND resumed.agent_id = ${agent}.id)`;
}

/**
 * SQL condition: a stop stands that covers agent `agent`. That there is any is asked first, once for all agents.
 *
 * @param workspace SQL for the agent's workspace.
 */
export function isStoppedSql(agent: string, workspace = "$1::uuid"): string {
  return `(EXISTS (SELECT FROM stop WHERE workspace_id = ${workspace} AND released_at IS NULL)
    AND EXISTS (SELECT FROM stop standing WHERE standing.workspace_id = ${workspace} AND standing.released_at IS NULL
      AND ${isInScopeSql(agent, "standing")} AND NOT ${isResumedSql(agent, "standing")}))`;
}

/** SQL for the effective control state of agent `agent`: `stopped` if a stop covers it. */
export function buildControlStateSql(agent: string): string {
  return `CASE WHEN ${isStoppedSql(agent)} THEN 'stopped' ELSE ${agent}.control_state END`;
}

/** SQL condition: the effective control state equals the placeholder `value`. */
export function hasControlState(agent: string, value: string): string {
  return `${buildControlStateSql(agent)} = ${value}::control_state`;
}

/**
 * SELECT that locks workspace $1, so that stops wait until the transaction ends. Selects nothing if the workspace was
 * changed since the statement began, which would not see the stop that has changed it.
 */
export const LOCK_UNCHANGED_WORKSPACE = `SELECT w.id FROM workspace w
  WHERE w.id = $1::uuid AND w.generation = (SELECT generation FROM workspace WHERE id = $1::uuid) FOR SHARE OF w`;

/** Whether a stop covers an agent, in a transaction at this statement. */
export async function isStoppedIn({ run, ctx }: Transaction, agentId: string): Promise<boolean> {
  const stopped = await run(STOPPED, [ctx.workspaceId, [agentId]]);
  return stopped.length > 0;
}

/** The agents of some that a stop covers. Concurrent callers share the read. */
export async function readStoppedAgents(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const stopped = await ctx.read(STOPPED, [ctx.workspaceId, ids]);
  return new Set(stopped.map(({ id }) => id));
}

const STOPPED = share(sql<{ id: string }>`
SELECT a.id FROM agent a WHERE a.workspace_id = $1::uuid AND a.id = ANY($2::uuid[]) AND ${isStoppedSql("a")}`);

/**
 * Makes stops, and changes of policies, wait until the transaction ends. Before any agent is locked.
 *
 * @returns the generation of the policies.
 * @see requireNoStop
 */
export async function holdStops({ run, ctx }: Transaction): Promise<number> {
  const [held] = await run(HOLD, [ctx.workspaceId]);
  if (held === undefined) throw new Error("the workspace does not exist");
  return held.gateGeneration;
}

const HOLD = sql<{ gateGeneration: number }>`
SELECT gate_generation AS "gateGeneration" FROM workspace WHERE id = $1::uuid FOR SHARE`;

/**
 * Checks that no stop covers any of some agents, after {@link holdStops}.
 *
 * @throws {DomainError} emergency_stop.
 */
export async function requireNoStop({ run, ctx }: Transaction, agentIds: readonly string[]): Promise<void> {
  const [first, ...others] = await run(STOPPED, [ctx.workspaceId, agentIds]);
  if (first === undefined) return;
  throw createStoppedError(
    others.length === 0 ? "The agent is stopped." : `Of the agents, ${others.length + 1} are stopped.`,
  );
}

/**
 * Checks that no stop would cover a new agent without labels, after {@link holdStops}.
 *
 * @throws {DomainError} emergency_stop.
 */
export async function requireNoStopOf({ run, ctx }: Transaction, kind: AgentKind): Promise<void> {
  const [stop] = await run(STOP_OF_NEW, [ctx.workspaceId, kind]);
  if (stop !== undefined) throw createStoppedError("New agents of this kind are stopped.");
}

const STOP_OF_NEW = sql<{ id: string }>`
SELECT id FROM stop WHERE workspace_id = $1::uuid AND released_at IS NULL AND labels = '{}'
  AND (kind IS NULL OR kind = $2::agent_kind) LIMIT 1`;

function createStoppedError(what: string): DomainError {
  return new DomainError("emergency_stop", `${what} An admin can resume agents or release the stop.`);
}

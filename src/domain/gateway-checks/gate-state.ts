import type { ControlState } from "../../db/generated/enums.ts";
import { share, sql } from "../../db/sql.ts";
import type { DecisionLogSettings } from "../decisions/decision-log.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { EntityAgent } from "../policies/evaluation-request.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import { type AccessRequest, getTaskId } from "./parse-request.ts";
import { type EntityName, isEmpty } from "./entity-name.ts";

/** An agent of the workspace, as the database has it now. */
export type GateAgent = EntityAgent & { controlState: ControlState; isArchived: boolean; isStopped: boolean };

/** A stored subject or resource that is no agent. */
export type GateEntity = EntityName & { properties: Record<string, unknown> };

/** What a decision depends on besides the policies, at one instant. */
export type GateState = {
  generation: number;
  /** 0 if there never was a budget. */
  budgetGeneration: number;
  fallback: "allow" | "deny";
  log: DecisionLogSettings;
  agents: GateAgent[];
  /** What is known of other subjects and resources, of those without properties. */
  entities: GateEntity[];
  /** The tasks that exist of those that were asked for. */
  taskIds: string[];
};

/** Reads what decisions on these requests depend on, with one statement. Concurrent callers share the read. */
export async function readGateState(
  ctx: Ctx,
  requests: readonly AccessRequest[],
  callerId: string,
): Promise<GateState> {
  const [state] = await ctx.read(STATE, buildStateValues(ctx, requests, callerId));
  return requireState(state);
}

/** {@link readGateState} in a transaction that has locked the workspace. `callerId` is null for a person. */
export async function readGateStateIn(
  { run, ctx }: Transaction,
  requests: readonly AccessRequest[],
  callerId: string | null,
): Promise<GateState> {
  const [state] = await run(STATE, buildStateValues(ctx, requests, callerId));
  return requireState(state);
}

/**
 * {@link readGateState} in a transaction, which keeps the state until it ends: changes of policies, of the
 * caller's control state and of the emergency stop wait for it, and it waits for those that run.
 */
export async function lockGateState(
  tx: Transaction,
  requests: readonly AccessRequest[],
  callerId: string,
): Promise<GateState> {
  // Sent one after the other without waiting: the second one sees what the first one has waited for.
  const [, state] = await Promise.all([
    tx.run(LOCK, [tx.ctx.workspaceId, callerId]),
    readGateStateIn(tx, requests, callerId),
  ]);
  return state;
}

/** A request about which a state is read, and who asks. */
export type StateQuestion = { asked: AccessRequest; callerId: string };

/**
 * {@link lockGateState} for requests of several agents, in their order. Null where another transaction changes the
 * workspace or the agent: nobody waits.
 */
export async function lockGateStates(
  tx: Transaction,
  questions: readonly StateQuestion[],
): Promise<(GateState | null)[]> {
  const { run, ctx } = tx;
  const callerIds = [...new Set(questions.map(({ callerId }) => callerId))];
  const asked = questions.map(({ asked: one, callerId }) => buildStateValues(ctx, [one], callerId));
  const keys = asked.map((values) => JSON.stringify(values));
  const distinct = new Map(asked.map((values, index) => [keys[index], values]));
  const [locked, ...read] = await Promise.all([
    run(LOCK_FREE, [ctx.workspaceId, callerIds]),
    ...Array.from(
      distinct,
      async ([key, values]) => [key, requireState((await run(STATE, values))[0])] as const,
    ),
  ]);
  const free = new Set(locked.map(({ id }) => id));
  const states = new Map(read);
  return questions.map(({ callerId }, index) =>
    free.has(callerId) ? (states.get(keys[index]) ?? null) : null,
  );
}

function requireState(state: GateState | undefined): GateState {
  if (state === undefined) throw new Error("the workspace does not exist");
  return state;
}

function buildStateValues(
  { workspaceId }: Ctx,
  requests: readonly AccessRequest[],
  callerId: string | null,
): unknown[] {
  const named = requests.flatMap(({ subject, resource }) => [subject?.id ?? callerId, resource.id]);
  const agents = [...new Set([callerId, ...named])].filter((id) => id !== null);
  const ids = agents.filter((agent) => UUID.test(agent)).map((id) => id.toLowerCase());
  const tasks = requests.map(getTaskId).filter((id) => id !== null);
  const others = requests.flatMap(listOthers);
  const [types, names] = [others.map(({ type }) => type), others.map(({ id }) => id)];
  return [workspaceId, ids, agents, tasks, types, names];
}

/** The entities whose stored properties may be needed, or that may not exist. */
function listOthers({ subject, resource }: AccessRequest): EntityName[] {
  const others = [subject, resource].filter((entity) => entity !== undefined);
  return others.filter(({ type, properties }) => type === "identity" || isEmpty(properties));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const STATE = share(
  sql<GateState>`
SELECT w.gate_generation AS generation, w.budget_generation AS "budgetGeneration", w.gateway_default::text AS fallback,
  jsonb_build_object('mode', w.decision_log, 'durability', w.decision_durability) AS log,
  COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', a.id, 'handle', a.handle, 'kind', a.kind, 'version', a.version,
      'labels', a.labels, 'controlState', a.control_state, 'isArchived', a.archived_at IS NOT NULL,
      'isStopped', ${isStoppedSql("a")}))
    FROM agent a WHERE a.workspace_id = w.id AND (a.id = ANY($2::uuid[]) OR a.handle = ANY($3::text[]))
  ), '[]') AS agents,
  COALESCE((
    SELECT jsonb_agg(jsonb_build_object('type', e.type, 'id', e.entity_id, 'properties', e.properties))
    FROM gateway_entity e
    WHERE e.workspace_id = w.id AND (e.type, e.entity_id) IN (SELECT * FROM unnest($5::text[], $6::text[]))
  ), '[]') AS entities,
  ARRAY(SELECT id FROM task WHERE workspace_id = w.id AND id = ANY($4::uuid[]))::text[] AS "taskIds"
FROM workspace w WHERE w.id = $1::uuid`,
);

/** The workspace first, as claims do. */
const LOCK = sql`
WITH running AS MATERIALIZED (SELECT id FROM workspace WHERE id = $1::uuid FOR SHARE)
SELECT 1 FROM running JOIN agent a ON a.workspace_id = running.id WHERE a.id = $2::uuid FOR SHARE OF a`;

/** Leaves out those that others change. */
const LOCK_FREE = sql<{ id: string }>`
WITH running AS MATERIALIZED (SELECT id FROM workspace WHERE id = $1::uuid FOR SHARE SKIP LOCKED)
SELECT a.id FROM running JOIN agent a ON a.workspace_id = running.id
WHERE a.id = ANY($2::uuid[]) ORDER BY a.id FOR SHARE OF a SKIP LOCKED`;

import { isDeepStrictEqual } from "node:util";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { buildExecutionAppend } from "../executions/execution-event.ts";
import {
  DESCRIBED_COLUMNS,
  EXECUTION_COLUMNS,
  type NewExecution,
  describeExecution,
  executionValuesSql,
} from "../executions/open-execution.ts";
import { type MadeDecision, findStop } from "../gateway-checks/decide-request.ts";
import { type GateState, type StateQuestion, lockGateStates } from "../gateway-checks/gate-state.ts";
import { bindVerdict, hashRequest } from "../gateway-checks/hash-request.ts";
import { getTaskId } from "../gateway-checks/parse-request.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { findParents } from "../tasks/find-parent.ts";
import { type CalledTool, MCP_CALL_COLUMNS, joinApprovedToolSql } from "./insert-mcp-call.ts";

/** A call that policies allowed a moment ago, and for which no budget holds anything. */
export type AllowedCall = Pick<NewExecution, "id" | "decisionId" | "leaseSeconds"> & {
  ctx: Ctx;
  called: CalledTool;
  made: MadeDecision;
};

/**
 * Starts calls of a workspace in a transaction, each only if what was decided about it holds.
 *
 * @returns the execution of each. Null for one that has to be started by itself: something has changed since, or
 *   another transaction is in the way.
 */
export async function startMcpCallsIn(
  tx: Transaction,
  calls: readonly AllowedCall[],
): Promise<(Execution | null)[]> {
  if (calls.length === 0) return [];
  const [states, parents] = await Promise.all([
    lockGateStates(tx, calls.map(toQuestion)),
    findParents(tx, calls.map(toSpanCaller)),
  ]);
  const described = calls.flatMap((call, index) => {
    const state = states[index] ?? null;
    return state === null || !holds(call, state) ? [] : [describeCall(call, parents[index] ?? null)];
  });
  if (described.length === 0) return calls.map(() => null);
  const rows = await tx.run(START, [tx.ctx.workspaceId, JSON.stringify(described)]);
  if (rows.length > 0) append(tx, mergeAppends(...rows.map(describeStart)));
  const started = new Map(rows.map((execution) => [execution.id, execution]));
  return calls.map(({ id }) => started.get(id) ?? null);
}

function toQuestion({ ctx, made: { decided } }: AllowedCall): StateQuestion {
  return { asked: decided.asked, callerId: requireAgent(ctx).id };
}

function toSpanCaller({ ctx: { traceparent }, made: { decided } }: AllowedCall) {
  return { traceparent, taskId: getTaskId(decided.asked) };
}

/** Whether a call is as allowed as it was, and its caller as valid. */
function holds({ ctx, made: { state: before, decided } }: AllowedCall, state: GateState): boolean {
  const isValid = ctx.services.live.findCredentialError(ctx) === null;
  const isStopped = findStop(state, { type: "agent", id: requireAgent(ctx).id }) !== null;
  const isAllowed = decided.verdict.outcome === "allow" && !isStopped;
  return isValid && isAllowed && isDeepStrictEqual(before, state);
}

function describeCall(
  { ctx, called, made: { decided }, ...opened }: AllowedCall,
  parent: NewExecution["parent"],
): object {
  const { asked, verdict } = decided;
  const requestHash = hashRequest(asked, bindVerdict(requireAgent(ctx).id, verdict));
  const execution = describeExecution(ctx, { ...opened, request: asked, requestHash, parent });
  const { server, tool, protocolVersion, requestBytes } = called;
  return {
    ...execution,
    serverId: server.id,
    tool: tool.name,
    definitionHash: tool.hash,
    protocolVersion,
    requestBytes,
  };
}

function describeStart(execution: Execution): AppendContent {
  const appended = buildExecutionAppend(execution, { type: "execution.started", from: null });
  appended.totals.push({ collection: "mcp_calls", to: execution.status });
  return appended;
}

/** Leaves out the calls of tools that are not approved any more as they were. */
const START = sql<Execution>`
WITH given AS MATERIALIZED (
  SELECT g.*, s.slug, t.approved_hash
  FROM jsonb_to_recordset($2::jsonb) AS g(${DESCRIBED_COLUMNS}, "serverId" uuid, tool text, "definitionHash" text,
    "protocolVersion" text, "requestBytes" int)
  ${joinApprovedToolSql(`g."serverId"`, "g.tool", `g."definitionHash"`)}
), opened AS (
  INSERT INTO execution (${EXECUTION_COLUMNS}) SELECT ${executionValuesSql()} FROM given g RETURNING *
), called AS (
  INSERT INTO mcp_call (${MCP_CALL_COLUMNS})
  SELECT e.workspace_id, e.id, g."serverId", g.slug, g.tool, g.approved_hash, e.agent_id, e.decision_id, e.approval_id,
    e.trace_id, g."protocolVersion", g."requestBytes", e.created_at, e.created_at
  FROM given g JOIN opened e ON e.id = g.id
)
SELECT ${selectList("e", TABLES.execution)} FROM opened e`;

import type { Execution, McpCall, McpServer } from "../../db/generated/client.ts";
import { startCheckedIn } from "../executions/start-execution.ts";
import { holdForExecution } from "../executions/hold-for-execution.ts";
import { startHeld } from "../executions/start-in-transaction.ts";
import { type CallerCheck, checkCaller } from "../gateway-checks/check-request.ts";
import type { GatewayCheck } from "../gateway-checks/gateway-check.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireAgent } from "../kernel/guard.ts";
import { endMcpCall } from "./end-mcp-call.ts";
import type { PinnedTool } from "./find-callable-tool.ts";
import { insertMcpCall } from "./insert-mcp-call.ts";
import { CALL_TOOL, toToolId } from "./name-tool.ts";

/** A call that an agent wants to make. */
export type WantedCall = {
  server: McpServer;
  tool: PinnedTool;
  /** Undefined if the agent sent none. */
  arguments: unknown;
  /** The task that it is for, if any. */
  taskId: string | null;
  protocolVersion: string;
  requestBytes: number;
  /** How long to wait for people; `onWait` is called when that begins. */
  waitSeconds: number;
  onWait: () => void;
};

/**
 * A call that may be passed on now, once; or one with the same key that was begun before; or why there is none: the
 * check that denies it, or for which people are asked.
 */
export type BegunCall =
  | { kind: "begun"; call: McpCall; execution: Execution }
  | { kind: "repeated"; execution: Execution }
  | { kind: "refused"; check: GatewayCheck };

/** The longest call, and some time to say how it ended. */
const LEASE_SECONDS = 630;

/**
 * Decides about a call of an approved tool, and opens its execution. Where policies ask, uses an approval or asks
 * people. Nothing may be sent before this returns.
 *
 * @throws {DomainError} forbidden if the tool was changed meanwhile, or is not approved any more; as `checkRequest` for
 *   the arguments; emergency_stop, agent_paused, policy_denied, approval_required and budget_exceeded if that began
 *   meanwhile; idempotency errors.
 */
export async function beginMcpCall(ctx: Ctx, wanted: WantedCall): Promise<BegunCall> {
  const startedMs = performance.now();
  const { check, made } = await checkCaller(ctx, {
    requestText: describe(wanted),
    toolProblem: wanted.tool.problem,
    autoRequest: true,
    acceptEdits: false,
    reevaluates: false,
    sessionKey: null,
    waitSeconds: wanted.waitSeconds,
    onWait: wanted.onWait,
    leaseSeconds: LEASE_SECONDS,
  });
  const { execution } = check;
  if (check.status !== "allowed") {
    // What an earlier request with the same key has opened, and has ended.
    return execution === null ? { kind: "refused", check } : { kind: "repeated", execution };
  }
  return execution === null
    ? startPlain(ctx, wanted, { check, made, startedMs })
    : startApproved(ctx, wanted, execution);
}

/** The definition is part of what people approve. */
function describe({ server, tool, taskId, protocolVersion, ...wanted }: WantedCall): string {
  const { arguments: args } = wanted;
  return JSON.stringify({
    action: { name: CALL_TOOL, ...(args !== undefined && { properties: { arguments: args } }) },
    resource: {
      type: "tool",
      id: toToolId(server.slug, tool.name),
      properties: { ...tool.properties, definition: tool.hash },
    },
    context: { protocol_version: protocolVersion, ...(taskId !== null && { task_id: taskId }) },
  });
}

/** Of what no person had to approve. Its decision is that of the check. */
async function startPlain(
  ctx: Ctx,
  wanted: WantedCall,
  { check, made, startedMs }: CallerCheck & { startedMs: number },
): Promise<BegunCall> {
  const { asked } = made.decided;
  const decisionId = check.id;
  const held = { asked, callerId: requireAgent(ctx).id, decisionId, startedMs };
  for (let isFirst = true; ; isFirst = false) {
    const hold = await holdForExecution(ctx, { ...held, made: isFirst ? made : null });
    // One for each attempt of the transaction.
    const inserted: McpCall[] = [];
    const execution = await startHeld(ctx, hold, {
      start: async (tx, id) => {
        const start = { id, decisionId, asked, leaseSeconds: LEASE_SECONDS, startedMs };
        const result = await startCheckedIn(tx, { ...start, made: hold.decision });
        if ("error" in result) return result;
        const call = await insertMcpCall(tx, wanted, result.execution);
        if (call === null) throw createChangedError();
        inserted.push(call);
        append(tx, { events: [], totals: [{ collection: "mcp_calls", to: call.status }] });
        return { execution: result.execution, row: null };
      },
    });
    // Otherwise another execution has taken what the check reserved, and this one reserves anew.
    if (execution === null) continue;
    const call = inserted.find(({ id }) => id === execution.id);
    return call === undefined ? { kind: "repeated", execution } : { kind: "begun", call, execution };
  }
}

/** The use of the approval has opened the execution, now or for an earlier request with the same key. */
async function startApproved(ctx: Ctx, wanted: WantedCall, execution: Execution): Promise<BegunCall> {
  const { id, status } = execution;
  if (status !== "started") return { kind: "repeated", execution };
  const call = await ctx.transaction(async (tx) => {
    const inserted = await insertMcpCall(tx, wanted, execution);
    const totals = [{ collection: "mcp_calls" as const, to: status }];
    if (inserted !== null) append(tx, { events: [], totals });
    return inserted;
  });
  if (call !== null) return { kind: "begun", call, execution };
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const earlier = await ctx.db.mcpCall.findUnique({ where, select: { id: true } });
  if (earlier !== null) return { kind: "repeated", execution };
  const message = "The tool was changed while people decided.";
  await endMcpCall(ctx, id, { status: "failed", error: { code: "tool_changed", message }, effect: "none" });
  throw createChangedError();
}

function createChangedError(): DomainError {
  return new DomainError(
    "forbidden",
    "The tool was changed, or is not approved any more. List the tools again.",
  );
}

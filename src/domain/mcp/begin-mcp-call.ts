import { v7 as uuidv7 } from "uuid";
import type { Execution, McpServer } from "../../db/generated/client.ts";
import { startCheckedIn } from "../executions/start-execution.ts";
import { type ExecutionHold, holdForExecution } from "../executions/hold-for-execution.ts";
import { startHeld } from "../executions/start-in-transaction.ts";
import { type CallerCheck, checkCaller } from "../gateway-checks/check-request.ts";
import type { GatewayCheck } from "../gateway-checks/gateway-check.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent } from "../kernel/guard.ts";
import type { PinnedTool } from "./find-callable-tool.ts";
import { insertMcpCall } from "./insert-mcp-call.ts";
import { CALL_TOOL, toToolId } from "./name-tool.ts";
import { startTogether } from "./store-mcp-calls.ts";

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
  | { kind: "begun" | "repeated"; execution: Execution }
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
  const approved = new Set<string>();
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
    onUse: async (tx, execution) => {
      await insertMcpCall(tx, wanted, execution);
      approved.add(execution.id);
    },
  });
  const { execution, status } = check;
  if (execution !== null) {
    // What an earlier request with the same key has opened, it may have ended.
    const isBegun = status === "allowed" && approved.has(execution.id);
    return { kind: isBegun ? "begun" : "repeated", execution };
  }
  return status === "allowed"
    ? startPlain(ctx, wanted, { check, made, startedMs })
    : { kind: "refused", check };
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
  const opened = { id: uuidv7(), decisionId, leaseSeconds: LEASE_SECONDS };
  for (let isFirst = true; ; isFirst = false) {
    const hold = await holdForExecution(ctx, { ...held, made: isFirst ? made : null });
    const joined =
      isFirst && canJoin(ctx, hold)
        ? await startTogether(ctx, { ...opened, ctx, called: wanted, made })
        : null;
    if (joined !== null) return { kind: "begun", execution: joined };
    // One for each attempt of the transaction.
    const inserted = new Set<string>();
    const execution = await startHeld(ctx, hold, {
      start: async (tx, id) => {
        const start = { id, decisionId, asked, leaseSeconds: LEASE_SECONDS, startedMs };
        const result = await startCheckedIn(tx, { ...start, made: hold.decision });
        if ("error" in result) return result;
        await insertMcpCall(tx, wanted, result.execution);
        inserted.add(id);
        return { execution: result.execution, row: null };
      },
    });
    // Otherwise another execution has taken what the check reserved, and this one reserves anew.
    if (execution === null) continue;
    return { kind: inserted.has(execution.id) ? "begun" : "repeated", execution };
  }
}

/** Whether a call needs nothing in its transaction that others don't. */
function canJoin({ idempotency }: Ctx, { reservationId, refusal }: ExecutionHold): boolean {
  return idempotency === null && reservationId === null && refusal === null;
}

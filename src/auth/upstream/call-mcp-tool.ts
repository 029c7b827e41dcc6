import { z } from "zod";
import type { DecisionReason, ExecutionStatus } from "../../db/generated/enums.ts";
import { readReviews } from "../../domain/approvals/read-reviews.ts";
import type { GatewayCheck } from "../../domain/gateway-checks/gateway-check.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { parseInput, text, uuid } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { beginMcpCall } from "../../domain/mcp/begin-mcp-call.ts";
import { findCallableTool } from "../../domain/mcp/find-callable-tool.ts";
import type { CallSink } from "./call-sink.ts";
import { type ForwardedAnswer, forwardCall } from "./forward-call.ts";
import { buildToolHeaders } from "./tool-headers.ts";
import { getUpstreamServices } from "./upstream-services.ts";
import { openSession } from "./upstream-session.ts";

/** A call of a tool, as an agent sent it. */
export type ToolCall = {
  slug: string;
  id: string | number;
  name: string;
  /** Undefined if there are none. */
  arguments: unknown;
  /** What of `_meta` is passed on. */
  meta: Record<string, unknown>;
  /** The task that it is for. Otherwise it is for the one that the agent works on. */
  taskId: string | undefined;
  protocolVersion: string;
  /** Of the protocol, besides those that repeat the body. */
  headers: Readonly<Record<string, string>>;
  session: string | null;
};

/** What is told while a call goes on. */
export type CallProgress = CallSink & {
  /** People are asked, and waited for. */
  onWait: () => void;
};

/** What a call that was not passed on is told. */
export type Refusal = {
  decisionId: string;
  reason: DecisionReason;
  policies: string[];
  /** The question to people, while nobody has answered or if they said no. */
  approvalId: string | null;
  isPending: boolean;
  comment: string | null;
};

/** How a call ended, for its agent. */
export type CallAnswer =
  | ForwardedAnswer
  | { kind: "refused"; refusal: Refusal }
  /** A call with the same key was made before, and nothing was done now. */
  | { kind: "repeated"; executionId: string; status: ExecutionStatus };

const shape = z.object({ name: text(LIMITS.mcpToolNameLength), taskId: uuid.optional() });

/**
 * Calls a tool of an MCP server for the calling agent, if policies or people allow it: at most once, and only once its
 * execution is stored. How it ended is stored too, also if the agent is gone by then.
 *
 * @throws {UpstreamError} if the server got nothing.
 * @throws {DomainError} insufficient_scope without `mcp:use`; forbidden for anybody but agents, and while the server is
 *   disabled; not_found for the server, the tool and the session;
 *   rate_limited; as `beginMcpCall`.
 */
export async function callMcpTool(ctx: Ctx, call: ToolCall, progress: CallProgress): Promise<CallAnswer> {
  const { name, taskId } = parseInput(shape, { name: call.name, taskId: call.taskId });
  const { server, tool, onlyTaskId } = await findCallableTool(ctx, { slug: call.slug, name });
  getUpstreamServices(ctx).traffic.requireRoom(server.id);
  const session = call.session === null ? null : await openSession(ctx, server, call.session);
  const begun = await beginMcpCall(ctx, {
    server,
    tool,
    arguments: call.arguments,
    taskId: taskId ?? onlyTaskId,
    protocolVersion: call.protocolVersion,
    requestBytes: Buffer.byteLength(JSON.stringify(call.arguments) ?? ""),
    waitSeconds: server.holdSeconds,
    onWait: progress.onWait,
  });
  if (begun.kind === "refused") return { kind: "refused", refusal: await describeRefusal(ctx, begun.check) };
  if (begun.kind === "repeated") {
    const { id, status } = begun.execution;
    return { kind: "repeated", executionId: id, status };
  }
  const repeated = buildToolHeaders({ name, arguments: call.arguments, definition: tool.definition });
  return forwardCall(ctx, {
    server,
    execution: begun.execution,
    id: call.id,
    sink: progress,
    params: { name, ...(call.arguments !== undefined && { arguments: call.arguments }), _meta: call.meta },
    headers: { ...repeated, ...call.headers, ...(session !== null && { "mcp-session-id": session }) },
  });
}

async function describeRefusal(ctx: Ctx, check: GatewayCheck): Promise<Refusal> {
  const { id, status, reason, policies, approval } = check;
  return {
    decisionId: id,
    reason,
    policies: policies.map(({ name }) => name),
    approvalId: approval?.id ?? null,
    isPending: status === "pending",
    comment: reason === "approval_denied" && approval !== null ? await readComment(ctx, approval.id) : null,
  };
}

/** Why a person said no. */
async function readComment(ctx: Ctx, approvalId: string): Promise<string | null> {
  const reviews = (await readReviews(ctx, [approvalId])).get(approvalId) ?? [];
  return reviews.find(({ verdict }) => verdict === "deny")?.comment ?? null;
}

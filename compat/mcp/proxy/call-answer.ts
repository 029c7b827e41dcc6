import type { CallAnswer, Refusal } from "../../../src/auth/upstream/call-mcp-tool.ts";
import type { Call } from "../call.ts";
import type { Result } from "../method.ts";
import { RPC } from "../protocol.ts";
import { RpcError } from "../rpc-error.ts";

type Answered = Exclude<CallAnswer, { kind: "response" }>;

/**
 * Says what became of a call that has no response of its server, so that a model can read it.
 *
 * @throws {RpcError} if the server refused the request.
 */
export function toResult(answer: Answered, { baseUrl }: Pick<Call, "baseUrl">): Result {
  switch (answer.kind) {
    case "refused":
      return describeRefusal(answer.refusal, baseUrl);
    case "repeated":
      return describeRepeated(answer);
    case "unknown":
      return toError(MAY_HAVE_HAPPENED, { execution: { id: answer.executionId, status: "unknown" } });
    case "failed":
      // With a session, the client begins another one.
      throw new RpcError(RPC.internalError, "The MCP server refused the request.", {
        status: answer.status === 404 ? 404 : 200,
      });
  }
}

const MAY_HAVE_HAPPENED =
  "The MCP server gave no usable answer: the call may have happened, and was not repeated. People were told. Find out before you call again.";

function describeRefusal(refusal: Refusal, baseUrl: string): Result {
  const { decisionId: id, reason, approvalId } = refusal;
  const decision = { id, reason, ...(approvalId !== null && { approval_id: approvalId }) };
  return toError(refusal.isPending ? describeWait(refusal, baseUrl) : describeDenial(refusal), { decision });
}

function describeWait({ approvalId }: Refusal, baseUrl: string): string {
  return `Waiting for approval ${approvalId} (${baseUrl}/approvals/${approvalId}). Call again with the same arguments.`;
}

function describeDenial({ reason, policies, comment, decisionId }: Refusal): string {
  if (reason === "tool_unreviewed") {
    return `No admin has approved this tool as it is now. One has to review it (decision ${decisionId}).`;
  }
  if (reason === "tool_blocked") return `An admin has blocked this tool (decision ${decisionId}).`;
  const by = policies.length === 0 ? reason.replaceAll("_", " ") : `policy ${policies.join(", ")}`;
  if (reason === "approval_denied") {
    return `Denied by a person${comment === null ? "" : `: ${comment}`} (decision ${decisionId}).`;
  }
  return `Denied by ${by} (decision ${decisionId}).`;
}

function describeRepeated({ executionId: id, status }: Extract<Answered, { kind: "repeated" }>): Result {
  const text = `A call with this idempotency key was made before, and nothing was done now. It is ${status}.`;
  return toError(text, { execution: { id, status } });
}

function toError(text: string, about: Record<string, object>): Result {
  const meta = Object.entries(about).map(([name, value]) => [`agent-ops/${name}`, value] as const);
  return { isError: true, content: [{ type: "text", text }], _meta: Object.fromEntries(meta) };
}

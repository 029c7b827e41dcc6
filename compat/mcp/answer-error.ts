import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { DomainError, ERRORS } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import { answerJson } from "./answer-json.ts";
import type { McpEnv } from "./mcp-app.ts";
import { RPC } from "./protocol.ts";
import { RpcError, type RpcId, createInternalError, toErrorMessage } from "./rpc-error.ts";

/** Clients show it to their user, who has to put the token there. */
export const HOW_TO_AUTHENTICATE =
  "Put an agent access token in the Authorization header, as Bearer agt_…; mint one with POST /api/v1/agent_tokens.";

/** Builds the response for an error before or instead of a result: an error of JSON-RPC with a fitting status. */
export function answerError(
  error: unknown,
  c: Context<McpEnv>,
  { id = null, headers = {} }: { id?: RpcId | null; headers?: Record<string, string> } = {},
): Response {
  if (error instanceof RpcError) {
    return answerJson(c, toErrorMessage(id, error), { status: error.status, headers });
  }
  const known = toDomainError(error) ?? findBodyError(error);
  if (known === null) return answerBug(error, c, id);
  const { status } = ERRORS[known.code];
  const code = status >= 500 ? RPC.internalError : RPC.invalidRequest;
  const message = status === 401 ? `${known.message} ${HOW_TO_AUTHENTICATE}` : known.message;
  const shown = { code, message, data: undefined };
  return answerJson(c, toErrorMessage(id, shown), {
    status,
    headers: { ...getErrorHeaders(known, c), ...headers },
  });
}

/** What we did wrong is logged, and nothing of it is told. */
function answerBug(error: unknown, c: Context<McpEnv>, id: RpcId | null): Response {
  c.get("log").error({ err: error }, "an MCP request failed");
  return answerJson(c, toErrorMessage(id, createInternalError()));
}

/** Errors thrown by Hono itself, for a body that can't be read. */
function findBodyError(error: unknown): DomainError | null {
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return new DomainError("invalid_body", "The body can't be read.");
}

function getErrorHeaders({ code, details }: DomainError, c: Context<McpEnv>): Record<string, string> {
  const { status } = ERRORS[code];
  const challenge = `Bearer realm="agent-ops", error="invalid_token", error_description="${HOW_TO_AUTHENTICATE.replace("…", "...")}"`;
  return {
    ...(status === 401 && { "www-authenticate": challenge }),
    ...(code === "unavailable" && { "retry-after": "2" }),
    ...(code === "rate_limited" && {
      // The rate limit has set it.
      "retry-after": c.res.headers.get("retry-after") ?? String(details.retryAfterSeconds ?? 1),
    }),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(code === "payload_too_large" && { connection: "close" }),
  };
}

import type { Execution, McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { redactText } from "../../domain/kernel/redact.ts";
import { createSpanId, toOwnTraceId, toTraceparent } from "../../domain/kernel/server-span.ts";
import { endMcpCall } from "../../domain/mcp/end-mcp-call.ts";
import type { McpCallEnd } from "../../domain/mcp/end-mcp-calls-in.ts";
import type { CallSink } from "./call-sink.ts";
import { type ReadAnswer, readAnswer } from "./read-answer.ts";
import { requestToolRefresh } from "./request-tool-refresh.ts";
import { sendUpstream, toUpstreamErrors } from "./send-upstream.ts";
import { UpstreamError } from "./upstream-error.ts";
import { getUpstreamServices } from "./upstream-services.ts";
import { withHealth } from "./with-health.ts";

/** What a server has answered, or that it did not do it or may have done it. */
export type ForwardedAnswer =
  | { kind: "response"; text: string; status: number }
  | { kind: "failed"; executionId: string; status: number }
  | { kind: "unknown"; executionId: string };

type Forward = {
  server: McpServer;
  execution: Execution;
  id: string | number;
  params: Record<string, unknown> & { _meta: Record<string, unknown> };
  headers: Record<string, string>;
  sink: CallSink;
};

/**
 * Sends a call whose execution has started to its server, once, and stores how it ended. It goes on without the agent.
 *
 * @throws {UpstreamError} if the server got nothing.
 */
export async function forwardCall(ctx: Ctx, forward: Forward): Promise<ForwardedAnswer> {
  const startedMs = performance.now();
  const counted = { bytes: 0 };
  const { id } = forward.execution;
  async function end(read: ReadAnswer): Promise<void> {
    const { isError, ...ended } = describeEnd(read);
    const durationMs = performance.now() - startedMs;
    await store(ctx, id, { ...ended, seen: { isError, durationMs, answerBytes: counted.bytes } });
  }
  try {
    const read = await run(ctx, forward, counted);
    await end(read);
    return toAnswer(read, id);
  } catch (error) {
    const read = toRead(error);
    await end(read);
    if (read.kind !== "unusable" || !(error instanceof UpstreamError)) throw error;
    return toAnswer(read, id);
  }
}

async function run(ctx: Ctx, forward: Forward, counted: { bytes: number }): Promise<ReadAnswer> {
  const { server, id, sink } = forward;
  const services = getUpstreamServices(ctx);
  const traceparent = placeCall(forward.execution);
  const params = { ...forward.params, _meta: { ...forward.params._meta, traceparent } };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  const headers = { ...forward.headers, traceparent };
  return withHealth(ctx, server, () =>
    services.traffic.run(server.id, () =>
      toUpstreamErrors(async () => {
        const sent = await sendUpstream(services, server, { body, headers });
        return readAnswer(sent, { id, sink, counted, onToolsChanged: () => void refreshTools(ctx, server) });
      }),
    ),
  );
}

async function refreshTools(ctx: Ctx, { id }: McpServer): Promise<void> {
  try {
    await requestToolRefresh(ctx, id);
  } catch (error) {
    // It is asked in its turn.
    ctx.log.warn({ err: error, serverId: id }, "an MCP server's tools could not be asked for at once");
  }
}

/** The call is within its execution's span. */
function placeCall({ id, traceId }: Execution): string {
  return toTraceparent({ traceId: traceId ?? toOwnTraceId(id), spanId: createSpanId("execute_tool", id) });
}

/** What a failure means: a bug of ours may have come after the request. */
function toRead(error: unknown): ReadAnswer {
  if (!(error instanceof UpstreamError))
    return { kind: "unusable", message: "Something went wrong on our side." };
  const { isSent, message } = error;
  return isSent ? { kind: "unusable", message } : { kind: "refused", status: 200, message };
}

/** `isError` is null if nobody knows. */
function describeEnd(read: ReadAnswer): McpCallEnd & { isError: boolean | null } {
  if (read.kind === "result") return { status: "completed", isError: read.isError };
  const message = toStored(read.message);
  if (read.kind === "unusable") {
    return { status: "unknown", error: { code: "no_answer", message }, effect: "unknown", isError: null };
  }
  const effect = read.kind === "error" ? read.effect : "none";
  return { status: "failed", error: { code: read.kind, message }, effect, isError: true };
}

/** A server's text. */
function toStored(message: string): string {
  return redactText(message.replaceAll("\0", "").toWellFormed().slice(0, LIMITS.textLength).toWellFormed());
}

function toAnswer(read: ReadAnswer, executionId: string): ForwardedAnswer {
  switch (read.kind) {
    case "result":
      return { kind: "response", text: read.text, status: 200 };
    case "error":
      return { kind: "response", text: read.text, status: read.status };
    case "refused":
      return { kind: "failed", executionId, status: read.status };
    case "unusable":
      return { kind: "unknown", executionId };
  }
}

async function store(ctx: Ctx, id: string, end: McpCallEnd): Promise<void> {
  try {
    await endMcpCall(ctx, id, end);
  } catch (error) {
    // Its lease ends, and then it is unknown.
    ctx.log.error({ err: error, executionId: id }, "the end of an MCP call was not stored");
  }
}

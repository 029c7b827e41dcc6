import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { findRoute, nameMethod } from "../http/answered.ts";
import { type Incoming, readTraceparent } from "../http/request.ts";
import type { TraceRequest } from "../http/trace-request.ts";

/** Telemetry that comes in: spans about the receipt of spans would never end. Probes tell nothing. */
const UNTRACED = /^\/(?:(?:api\/)?v1\/(?:traces|logs|metrics)|healthz|readyz)\/?$/;

/** Begins a span for each request, within the caller's trace if it has one. It has no path, query or header. */
export function traceRequests(tracer: Tracer, current: AsyncLocalStorage<Span>): TraceRequest {
  return async (c, answer) => {
    if (UNTRACED.test(c.req.path)) return answer();
    const method = nameMethod(c.req.method);
    const span = tracer.startSpan(
      method,
      {
        kind: SpanKind.SERVER,
        attributes: {
          "http.request.method": method,
          "url.scheme": c.get("baseUrl").startsWith("https:") ? "https" : "http",
          "agent_ops.request_id": c.get("requestId"),
        },
      },
      findParent(c),
    );
    try {
      await current.run(span, answer);
    } finally {
      if (span.isRecording()) describe(span, method, { route: findRoute(c), status: c.res.status });
      const caller = c.get("ctx");
      if (caller !== undefined) span.setAttribute("agent_ops.workspace_id", caller.workspaceId);
      span.end();
    }
  };
}

function describe(
  span: Span,
  method: string,
  { route, status }: { route: string | null; status: number },
): void {
  span.setAttribute("http.response.status_code", status);
  if (route !== null) {
    span.updateName(`${method} ${route}`);
    span.setAttribute("http.route", route);
  }
  if (status < 500) return;
  span.setAttribute("error.type", `${status}`);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function findParent(c: Incoming): Context {
  const [, traceId = "", spanId = "", flags = ""] = readTraceparent(c)?.split("-") ?? [];
  if (traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

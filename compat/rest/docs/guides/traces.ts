import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const ENVIRONMENT = `OTEL_EXPORTER_OTLP_ENDPOINT="$AGENT_OPS_URL"
OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $AGENT_OPS_TOKEN"`;

const HANDLER = `await client.workTasks({
  queues: ["billing"],
  handle: async (task, { traceparent, env }) => {
    // The work's own spans begin within the task's: pass traceparent on, or env to child processes.
    const parent = propagation.extract(context.active(), { traceparent });
    return context.with(parent, () => refund(task));
  },
  signal: stop.signal,
});`;

/** How spans arrive and are found. */
export const TRACES: Guide = {
  id: "traces",
  title: "Traces",
  body: html`<p>
      Any OpenTelemetry SDK can send its spans, as OTLP over HTTP in protobuf or JSON to
      <code>/v1/traces</code>, with a credential that has the scope <code>traces:write</code>. Two variables
      of the agent's environment are enough:
    </p>
    ${codeBlock("Environment", ENVIRONMENT)}
    <p>
      Calls of models by the <code>gen_ai.*</code> attributes are counted and priced: tokens, cost, latency.
      Tasks, commands and checks have spans of their own, which yours join by <code>traceparent</code>, so
      that a task's trace has everything that was done for it.
    </p>
    ${codeBlock("TypeScript: the work's own spans", HANDLER)}
    <p>
      Search traces with <a href="#getOperatorTraces">GET /operator/traces</a>, read one span by span with
      <a href="#getTracesTraceId">GET /traces/{trace_id}</a>, and rate it with
      <a href="#postTracesTraceIdScores">POST /traces/{trace_id}/scores</a>.
    </p>`,
};

import type { Ctx } from "../../domain/kernel/context.ts";
import { createTurns } from "../../domain/kernel/turns.ts";
import { ingestTelemetry } from "../../domain/traces/ingest-telemetry.ts";
import { readSpans } from "../../domain/traces/read-spans.ts";
import type { Attributes, SentSpan } from "../../domain/traces/telemetry.ts";

/** Sends spans as an agent's SDK would, but without a request. */
export async function sendSpans(agent: Ctx, handle: string, spans: readonly SentSpan[]): Promise<void> {
  const resource: Attributes = [
    ["service.name", handle],
    ["telemetry.sdk.name", "opentelemetry"],
    ["telemetry.sdk.language", "nodejs"],
  ];
  const items = spans.map((sent) => ({ resource, scope: "northlight.agents", sent }));
  await ingestTelemetry(agent, {
    read: (options) => createTurns().run(agent.workspaceId, readSpans(items, options)),
  });
}

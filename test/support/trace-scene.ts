import { decodeSpans } from "./decode-spans.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { SCOPES, type Scope } from "../../src/domain/kernel/scopes.ts";
import { type TelemetryReceipt, ingestTelemetry } from "../../src/domain/traces/ingest-telemetry.ts";
import { agentCtx } from "./agent-ctx.ts";
import { type OtlpMessage, createRequest, createSpan, textAttribute } from "./otlp.ts";
import type { QuietServices } from "./quiet-services.ts";

/** A workspace of its own, with the agent that sends spans. */
export type TraceScene = { workspaceId: string; agent: Ctx; agentId: string; system: Ctx };

/** Creates a workspace with the agent that sends spans. */
export async function createTraceScene(server: QuietServices): Promise<TraceScene> {
  const { workspaceId } = await server.createWorkspace();
  const [primary] = await server.database.query<{ id: string }>(
    "SELECT id FROM agent WHERE workspace_id = $1",
    [workspaceId],
  );
  const agentId = primary?.id ?? "";
  const agent = agentCtx(server, { id: agentId, workspaceId });
  return { workspaceId, agentId, agent, system: server.systemCtx(workspaceId) };
}

/** Creates another agent that sends spans. */
export async function createOtherSender(
  server: QuietServices,
  { system, workspaceId }: TraceScene,
  scopes: readonly Scope[] = SCOPES,
): Promise<{ id: string; handle: string; ctx: Ctx }> {
  const { id, handle } = await createAgent(system, { handle: `other-${crypto.randomUUID()}`, name: "Other" });
  return { id, handle, ctx: agentCtx(server, { id, workspaceId }, { scopes }) };
}

/** Sends spans of one process. */
export async function sendSpans(
  ctx: Ctx,
  spans: readonly OtlpMessage[],
  resource: readonly OtlpMessage[] = [],
): Promise<TelemetryReceipt> {
  const bytes = Buffer.from(JSON.stringify(createRequest(spans, resource)));
  return ingestTelemetry(ctx, { read: (options) => Promise.resolve(decodeSpans(bytes, "json", options)) });
}

/** An attribute with a number. */
export function numberAttribute(key: string, doubleValue: number): OtlpMessage {
  return { key, value: { doubleValue } };
}

/** What a call of a test says of itself. */
type CallFields = {
  op?: string;
  model?: string;
  input?: number | string;
  output?: number | string;
  cost?: number | string;
  attributes?: readonly OtlpMessage[];
};

/** A span of a model's call. `given` are members of the span. */
export function createCallSpan(
  { op = "chat", model, input, output, cost, attributes = [] }: CallFields,
  given: OtlpMessage = {},
): OtlpMessage {
  const said = { input_tokens: input, output_tokens: output, cost };
  const usage = Object.entries(said).flatMap(([name, value]) => {
    const key = `gen_ai.usage.${name}`;
    if (value === undefined) return [];
    return [typeof value === "number" ? numberAttribute(key, value) : textAttribute(key, value)];
  });
  const named = model === undefined ? [] : [textAttribute("gen_ai.response.model", model)];
  return createSpan({
    attributes: [textAttribute("gen_ai.operation.name", op), ...named, ...usage, ...attributes],
    ...given,
  });
}

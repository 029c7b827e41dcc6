import { expect } from "vitest";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
  toNanoseconds,
} from "../../support/otlp.ts";
import type { TestClient } from "../../support/test-client.ts";

/** Attributes of a span of an agent's work, without which a trace is plumbing. */
export const CHAT = [textAttribute("gen_ai.operation.name", "chat")];
export const FAILED = { status: { code: 2, message: "the card was declined" } };
export const OPEN = { endTimeUnixNano: "0" };

/** The id of a span by its number. */
export function toSpanId(number: number): string {
  return number.toString(16).padStart(16, "0");
}

/** A span of 100 ms of a trace that began a minute ago. `at` is when it began, in milliseconds after the trace. */
export function createStep(
  traceId: string,
  number: number,
  given: OtlpMessage & { parent?: number; at?: number } = {},
): OtlpMessage {
  const { parent, at = number, ...rest } = given;
  const startMs = Date.now() - 60_000 + at;
  return createSpan({
    ...{ traceId, spanId: toSpanId(number), name: `step ${number}` },
    ...(parent !== undefined && { parentSpanId: toSpanId(parent) }),
    startTimeUnixNano: toNanoseconds(new Date(startMs)),
    endTimeUnixNano: toNanoseconds(new Date(startMs + 100)),
    ...rest,
  });
}

/** Sends spans as an SDK does, and expects that all are stored. */
export async function sendSpans(agent: TestClient, spans: readonly OtlpMessage[]): Promise<void> {
  const { status, body } = await agent.post("/v1/traces", createRequest(spans));
  expect({ status, body }).toEqual({ status: 200, body: {} });
}

/** Sends the trace of a refund: an agent, a model that it asks, and a tool that fails. @returns its id. */
export async function sendRefund(agent: TestClient, name: string): Promise<string> {
  const traceId = newTraceId();
  await sendSpans(agent, [
    createStep(traceId, 1, {
      name,
      at: 0,
      attributes: [textAttribute("gen_ai.operation.name", "invoke_agent")],
    }),
    createStep(traceId, 2, {
      ...{ parent: 1, name: "chat gpt-5" },
      attributes: [
        ...CHAT,
        textAttribute("gen_ai.request.model", "gpt-5"),
        textAttribute("gen_ai.prompt", "Refund me."),
        textAttribute("gen_ai.output.messages", '[{"role":"assistant","content":"Done."}]'),
      ],
      events: [{ name: "first token", attributes: [textAttribute("after", "90 ms")] }],
    }),
    createStep(traceId, 3, { parent: 1, name: "execute_tool refund", ...FAILED }),
  ]);
  return traceId;
}

/** Attributes of a call of a model that used 1,200 tokens, of which 800 were cached. */
export function createUsage(model: string): OtlpMessage[] {
  const tokens = { input_tokens: 1000, "cache_read.input_tokens": 800, output_tokens: 200 };
  return [
    ...CHAT,
    textAttribute("gen_ai.provider.name", "openai"),
    textAttribute("gen_ai.request.model", model),
    ...Object.entries(tokens).map(([name, count]) => ({
      key: `gen_ai.usage.${name}`,
      value: { intValue: String(count) },
    })),
  ];
}

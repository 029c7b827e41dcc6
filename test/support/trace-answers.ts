import { createRequest, createSpan, textAttribute } from "./otlp.ts";
import type { TestAnswer, TestClient } from "./test-client.ts";

type Described = [method: string, path: string, answer: TestAnswer];

/** A successful response of every route for traces, by its path in the description. */
export async function traceAnswers(agent: TestClient): Promise<Described[]> {
  const span = createSpan({
    attributes: [
      textAttribute("gen_ai.operation.name", "chat"),
      textAttribute("gen_ai.prompt", "Hello."),
      textAttribute("gen_ai.usage.input_tokens", "1"),
      textAttribute("note", "x"),
    ],
    events: [{ name: "event", attributes: [] }],
    links: [{ traceId: "ab".repeat(16), spanId: "ab".repeat(8), attributes: [] }],
  });
  await agent.post("/v1/traces", createRequest([span]));
  const trace = `/api/v1/traces/${String(span["traceId"])}`;
  return [
    ["GET", "/operator/traces", await agent.get("/api/v1/operator/traces")],
    ["GET", "/operator/traces/export", await agent.get("/api/v1/operator/traces/export")],
    ["GET", "/operator/usage", await agent.get("/api/v1/operator/usage?by=model")],
    ["GET", "/traces/{trace_id}", await agent.get(trace)],
    [
      ...(["POST", "/traces/{trace_id}/scores"] as const),
      await agent.post(`${trace}/scores`, { name: "quality", value: 1 }),
    ],
    ["GET", "/traces/{trace_id}/scores", await agent.get(`${trace}/scores`)],
    [
      ...(["GET", "/traces/{trace_id}/spans/{span_id}"] as const),
      await agent.get(`${trace}/spans/${String(span["spanId"])}?content=true`),
    ],
  ];
}

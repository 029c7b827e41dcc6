import { createMetricsRequest, createPoint, createSum } from "./agent-metrics.ts";
import { TEST_SPAN_ID, createRequest, createSpan, textAttribute } from "./otlp.ts";
import type { TestClient } from "./test-client.ts";

/** Sends a trace of one span and scores it, and a point of a metric, with a word in every text. @returns the trace's UUID and the score's id. */
export async function sendScoredTrace(
  client: TestClient,
  word: string,
): Promise<{ trace: string; score: string }> {
  const trace = crypto.randomUUID();
  const traceId = trace.replaceAll("-", "");
  const attributes = [
    textAttribute("gen_ai.operation.name", "chat"),
    ...[textAttribute("gen_ai.prompt", word), textAttribute("word", word)],
    ...[textAttribute("gen_ai.response.model", word), textAttribute("gen_ai.usage.input_tokens", "1")],
  ];
  const span = createSpan({ traceId, spanId: TEST_SPAN_ID, name: word, attributes });
  await client.post("/v1/traces", createRequest([span], [textAttribute("word", word)]));
  const point = createPoint({ model: word }, { asDouble: 1 });
  await client.post("/v1/metrics", createMetricsRequest([createSum("claude_code.cost.usage", [point])]));
  const score = { name: word, label: word, comment: word };
  const { body } = await client.post(`/api/v1/traces/${traceId}/scores`, score);
  return { trace, score: body.score.id };
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redactContentText } from "../../../src/domain/traces/redact-content.ts";
import { CLAUDE, createLogsRequest, createRecord } from "../../support/agent-logs.ts";
import { createMetricsRequest, createPoint, createSum } from "../../support/agent-metrics.ts";
import { findTexts } from "../../support/find-texts.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newSpanId,
  newTraceId,
  textAttribute,
  toProtobuf,
} from "../../support/otlp.ts";
import {
  FORM_SAMPLES,
  HARMLESS,
  PERSONAL_SAMPLES,
  PLACE_SAMPLES,
  toNeedles,
} from "../../support/secret-corpus.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { readStoredSpans } from "../../support/stored-spans.ts";

const SAMPLES = [...FORM_SAMPLES, ...PLACE_SAMPLES, ...PERSONAL_SAMPLES];
const TEXTS = SAMPLES.map(({ text }) => text);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** An attribute with a text in lists and objects. */
function nestedAttribute(key: string, text: string): OtlpMessage {
  const value = { stringValue: text };
  const inner = {
    kvlistValue: {
      values: [
        { key: "inner", value },
        { key: `of ${text}`, value },
      ],
    },
  };
  return { key, value: { arrayValue: { values: [value, inner, { arrayValue: { values: [value] } }] } } };
}

/** Attributes with a text in their names and values. */
function toAttributes(text: string): OtlpMessage[] {
  return [
    textAttribute("note", text),
    textAttribute(`of ${text}`, "x"),
    nestedAttribute("nested", `before ${text} after`),
    textAttribute("json", JSON.stringify({ said: [text] })),
  ];
}

/** Attributes that are columns of their own. */
const WORDS = [
  ...["gen_ai.request.model", "gen_ai.response.model", "gen_ai.provider.name", "gen_ai.conversation.id"],
  ...["gen_ai.agent.name", "gen_ai.agent.id", "gen_ai.tool.name", "gen_ai.response.id", "aos.eval.item_key"],
];
const CONTENT = [
  ...["gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.prompt.0.content", "gen_ai.completion"],
  ...["input.value", "output.value", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"],
];

function toSpan(text: string, at: number): OtlpMessage {
  const evaluation = {
    "gen_ai.evaluation.name": text,
    "gen_ai.evaluation.score.label": text,
    "gen_ai.evaluation.explanation": text,
  };
  const named = [...WORDS, ...CONTENT].map((key) => textAttribute(key, text));
  const operation = at % 2 === 0 ? "chat" : "execute_tool";
  return createSpan({
    name: `call ${text}`,
    status: { code: 2, message: `failed: ${text}` },
    attributes: [textAttribute("gen_ai.operation.name", operation), ...named, ...toAttributes(text)],
    events: [
      { name: text, timeUnixNano: "1795345643688000000", attributes: toAttributes(text) },
      {
        name: "gen_ai.evaluation.result",
        attributes: Object.entries(evaluation).map(([key, value]) => textAttribute(key, value)),
      },
    ],
    links: [{ traceId: newTraceId(), spanId: newSpanId(), attributes: toAttributes(text) }],
  });
}

/** Spans, each with a process and a library of its own. */
function createSpansRequest(): OtlpMessage {
  const requests = TEXTS.map((text, at) => createRequest([toSpan(text, at)], toAttributes(text)));
  // As createRequest makes them.
  const processes = requests.flatMap((one) => one["resourceSpans"] as { scopeSpans: { scope: object }[] }[]);
  for (const [at, { scopeSpans }] of processes.entries())
    for (const one of scopeSpans) one.scope = { name: TEXTS[at], version: TEXTS[at] };
  return { resourceSpans: processes };
}

function createLogs(): OtlpMessage {
  const records = TEXTS.flatMap((text, at) => {
    const own = { "session.id": text, model: text, tool_name: text, user_prompt: text, error: text };
    const used = { input_tokens: 1, output_tokens: 2, cost_usd_micros: 3, request_id: `req ${text}` };
    const ids = at % 2 === 0 ? { traceId: newTraceId(), spanId: newSpanId() } : {};
    const given = { ...ids, severityText: text, body: { stringValue: text } };
    return [
      createRecord({ "event.name": "api_request", ...own, ...used }, given),
      createRecord(
        { "event.name": "tool_result", ...own, tool_parameters: text, [`of ${text}`]: "x" },
        given,
      ),
      createRecord(
        { "event.name": "api_error", ...own },
        { ...ids, body: nestedAttribute("x", text)["value"] },
      ),
    ];
  });
  return createLogsRequest(records, {
    scope: CLAUDE.events,
    resource: TEXTS.slice(0, 200).map((text, at) => textAttribute(`a${at}`, text)),
  });
}

function createMetrics(): OtlpMessage {
  const points = TEXTS.map((text) =>
    createPoint(
      { "session.id": text, model: text, type: "input", "gen_ai.agent.name": text, [text]: text },
      { asDouble: 1 },
    ),
  );
  return createMetricsRequest([createSum("claude_code.token.usage", points)], {
    scope: "com.anthropic.claude_code",
    resource: TEXTS.slice(0, 200).map((text, at) => textAttribute(`a${at}`, text)),
  });
}

const REQUESTS: [path: string, type: string, create: () => OtlpMessage][] = [
  ["/v1/traces", "ExportTraceServiceRequest", createSpansRequest],
  ["/v1/logs", "ExportLogsServiceRequest", createLogs],
  ["/v1/metrics", "ExportMetricsServiceRequest", createMetrics],
];

describe("secrets in telemetry", () => {
  it("are of many shapes", () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(200);
    expect(new Set(SAMPLES.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(40);
    expect(new Set(TEXTS).size).toBe(SAMPLES.length);
  });

  it.each(["json", "protobuf"])(
    "are in no row, however they are sent as %s",
    async (encoding) => {
      const { workspaceId, apiKey } = await server.createWorkspace();
      for (const [path, type, create] of REQUESTS) {
        const request = create();
        const body = encoding === "json" ? JSON.stringify(request) : toProtobuf(request, type);
        const contentType = encoding === "json" ? "application/json" : "application/x-protobuf";
        const headers = { authorization: `Bearer ${apiKey}`, "content-type": contentType };
        const response = await fetch(server.url + path, { method: "POST", body, headers });
        expect(response.status).toBe(200);
      }
      const stored = await readStoredSpans(server.database, workspaceId);
      expect(stored.length).toBeGreaterThanOrEqual(SAMPLES.length);
      expect(await findTexts(server.database, workspaceId, toNeedles(SAMPLES))).toEqual([]);
    },
    60_000,
  );
});

describe("redactContentText", () => {
  it.each(HARMLESS)("leaves alone %s", (text) => {
    expect(redactContentText(text)).toBe(text);
  });
});

import { createHash, randomBytes } from "node:crypto";
import protobuf from "protobufjs";

/** How a request with spans is encoded. */
export type Encoding = "json" | "protobuf";

export const CONTENT_TYPES = { json: "application/json", protobuf: "application/x-protobuf" } as const;

/** Spans of one request, as the batch processors of OpenTelemetry's SDKs send them. */
export const SPANS = 500;
/** Spans of one trace: an agent's turn with its calls. */
const TRACE_SPANS = 25;

/** A request with new spans of about 0.9 KB in protobuf: a fifth are calls of a model, the others tools. */
export function createBody(encoding: Encoding): Buffer {
  const traceIds = Array.from({ length: SPANS / TRACE_SPANS }, () => randomBytes(16).toString("hex"));
  return encode(traceIds.flatMap(createTrace), encoding);
}

/** A request with spans of one trace, all children of one. */
export function createTraceBody(traceId: string, rootId: string, isFirst: boolean): Buffer {
  const spans = Array.from({ length: SPANS }, (_, at) =>
    at === 0 && isFirst ? createRoot(traceId, rootId) : createChild({ traceId, parentId: rootId, at }),
  );
  return encode(spans, "json");
}

type Attribute = { key: string; value: { stringValue: string } | { intValue: number } };

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: readonly Attribute[];
};

/** What of trace.proto, common.proto and resource.proto the spans have. */
const PROTO = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; int64 int_value = 3; } }`;

const REQUEST = protobuf.parse(PROTO).root.lookupType("Request");

function encode(spans: readonly Span[], encoding: Encoding): Buffer {
  const resource = { attributes: [createText("service.name", "billing")] };
  function createRequest(listed: readonly object[]): object {
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "bench" }, spans: listed }] }] };
  }
  if (encoding === "json") return Buffer.from(JSON.stringify(createRequest(spans)));
  const message = REQUEST.fromObject(createRequest(spans.map(toBytes)));
  return Buffer.from(REQUEST.encode(message).finish());
}

/** In JSON, ids are hex. */
function toBytes({ traceId, spanId, parentSpanId, ...span }: Span): object {
  const ids = { traceId: Buffer.from(traceId, "hex"), spanId: Buffer.from(spanId, "hex") };
  const parent = parentSpanId === undefined ? {} : { parentSpanId: Buffer.from(parentSpanId, "hex") };
  return { ...span, ...ids, ...parent };
}

function createTrace(traceId: string): Span[] {
  const rootId = randomBytes(8).toString("hex");
  const children = Array.from({ length: TRACE_SPANS - 1 }, (_, at) =>
    createChild({ traceId, parentId: rootId, at }),
  );
  return [createRoot(traceId, rootId), ...children];
}

function createRoot(traceId: string, spanId: string): Span {
  const attributes = [createText("gen_ai.operation.name", "invoke_agent")];
  return { ...createTimes(), traceId, spanId, name: "invoke_agent billing", kind: 1, attributes };
}

function createChild(place: { traceId: string; parentId: string; at: number }): Span {
  const { traceId, parentId: parentSpanId, at } = place;
  const spanId = randomBytes(8).toString("hex");
  const ids = { ...createTimes(), traceId, spanId, parentSpanId };
  return at % 5 === 0
    ? { ...ids, name: "chat claude-opus-4-8", kind: 3, attributes: [...MODEL_CALL, ...listOthers(spanId)] }
    : { ...ids, name: "execute_tool search", kind: 1, attributes: [...TOOL_CALL, ...listOthers(spanId)] };
}

function createTimes() {
  const nowMs = Date.now();
  return {
    startTimeUnixNano: `${nowMs - 1000}000000`,
    endTimeUnixNano: `${nowMs}000000`,
  };
}

function createText(key: string, stringValue: string): Attribute {
  return { key, value: { stringValue } };
}

function createNumber(key: string, intValue: number): Attribute {
  return { key, value: { intValue } };
}

const MODEL_CALL = [
  createText("gen_ai.operation.name", "chat"),
  createText("gen_ai.provider.name", "anthropic"),
  createText("gen_ai.response.model", "claude-opus-4-8"),
  createNumber("gen_ai.usage.input_tokens", 130),
  createNumber("gen_ai.usage.cache_read.input_tokens", 100),
  createNumber("gen_ai.usage.output_tokens", 5),
];

const TOOL_CALL = [
  createText("gen_ai.operation.name", "execute_tool"),
  createText("gen_ai.tool.name", "search"),
];

/** What SDKs add, different in each span. */
function listOthers(spanId: string): Attribute[] {
  const seed = createHash("sha256").update(spanId).digest("hex");
  return [
    createText("session.id", seed.slice(0, 16)),
    createText("http.url", `https://orders.example.com/v2/orders/${seed.slice(16, 40)}/lines`),
    createText("code.function.name", "orders.search.byCustomer"),
    createNumber("http.response.status_code", 200),
    createNumber("thread.id", 17),
    createText("note", `${seed} ${seed} ${seed} ${seed}`),
  ];
}

import protobuf from "protobufjs";

/** The messages of the official trace.proto, common.proto and resource.proto that requests and answers consist of. */
const PROTO = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ExportTraceServiceResponse { ExportTracePartialSuccess partial_success = 1; }
message ExportTracePartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
message RpcStatus { int32 code = 1; string message = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message InstrumentationScope {
  string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
}
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
  repeated Event events = 11; uint32 dropped_events_count = 12;
  repeated Link links = 13; uint32 dropped_links_count = 14; Status status = 15; fixed32 flags = 16;
  message Event {
    fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3;
    uint32 dropped_attributes_count = 4;
  }
  message Link {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4;
    uint32 dropped_attributes_count = 5; fixed32 flags = 6;
  }
}
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message ExportLogsServiceRequest { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord log_records = 2; }
message LogRecord {
  fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
  repeated KeyValue attributes = 6; bytes trace_id = 9; bytes span_id = 10; fixed64 observed_time_unix_nano = 11;
  string event_name = 12;
}
message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message ScopeMetrics { InstrumentationScope scope = 1; repeated Metric metrics = 2; }
message Metric {
  string name = 1; string description = 2; string unit = 3;
  oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; ExponentialHistogram exponential_histogram = 10; }
}
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message ExponentialHistogram {
  repeated ExponentialHistogramDataPoint data_points = 1; int32 aggregation_temporality = 2;
}
message NumberDataPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3;
  oneof value { double as_double = 4; sfixed64 as_int = 6; }
  repeated KeyValue attributes = 7; uint32 flags = 8;
}
message HistogramDataPoint {
  fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; optional double sum = 5;
  repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; repeated KeyValue attributes = 9;
  uint32 flags = 10;
}
message ExponentialHistogramDataPoint {
  repeated KeyValue attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
  optional double sum = 5; sint32 scale = 6; fixed64 zero_count = 7;
}`;

const { root } = protobuf.parse(PROTO);

export type OtlpMessage = Record<string, unknown>;

/** Encodes a request, given as its JSON, in protobuf. */
export function toProtobuf(
  request: OtlpMessage,
  type = "ExportTraceServiceRequest",
): Uint8Array<ArrayBuffer> {
  const message = root.lookupType(type);
  return new Uint8Array(message.encode(message.fromObject(toBytes(request))).finish());
}

/** Decodes an answer in protobuf to its JSON. */
export function fromProtobuf(bytes: Uint8Array, type: string): OtlpMessage {
  return root.lookupType(type).toObject(root.lookupType(type).decode(bytes), { longs: String });
}

/** In JSON, ids are hex and other bytes base64. */
function toBytes(value: OtlpMessage): OtlpMessage {
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (/(?:traceId|spanId|SpanId)$/.test(name) && typeof member === "string")
      return [name, Buffer.from(member, "hex")];
    if (Array.isArray(member)) return [name, member.map((one) => toBytes(one as OtlpMessage))];
    if (typeof member === "object" && member !== null && !ArrayBuffer.isView(member))
      return [name, toBytes(member as OtlpMessage)];
    return [name, member];
  });
  return Object.fromEntries(entries);
}

/** The span of the trace of a populated workspace. */
export const TEST_SPAN_ID = "00f067aa0ba902b7";

let spans = 0;

/** A new trace id, in hex. */
export function newTraceId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** A new span id, in hex. */
export function newSpanId(): string {
  return `a${(++spans).toString(16).padStart(15, "0")}`;
}

/** Nanoseconds since 1970, as text. */
export function toNanoseconds(at: Date): string {
  return `${at.getTime()}000000`;
}

/** An attribute with a text. */
export function textAttribute(key: string, stringValue: string): OtlpMessage {
  return { key, value: { stringValue } };
}

/** Times of a span that came long after it ended. With them, a test with a clock of its own holds on any day. */
export const LONG_AGO = {
  startTimeUnixNano: "1000000000000000000",
  endTimeUnixNano: "1000000001000000000",
} as const;

/** A span of one second that ended now, unless `given` says otherwise. */
export function createSpan(given: OtlpMessage = {}): OtlpMessage {
  const nowMs = Date.now();
  return {
    ...{ traceId: newTraceId(), spanId: newSpanId(), name: "work", kind: 1 },
    startTimeUnixNano: toNanoseconds(new Date(nowMs - 1000)),
    endTimeUnixNano: toNanoseconds(new Date(nowMs)),
    attributes: [],
    ...given,
  };
}

/** A request with spans of one process. */
export function createRequest(sent: readonly unknown[], resource: readonly OtlpMessage[] = []): OtlpMessage {
  return {
    resourceSpans: [
      {
        resource: { attributes: [textAttribute("service.name", "billing"), ...resource] },
        scopeSpans: [{ scope: { name: "test" }, spans: sent }],
      },
    ],
  };
}

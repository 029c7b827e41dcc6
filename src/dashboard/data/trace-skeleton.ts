/** A page of the spans of a trace, as columns of equal length. */
export type TraceSkeleton = {
  /** The names of spans, each once. */
  names: readonly string[];
  id: readonly string[];
  /** The ids of the parents, which may not have arrived. */
  parent: readonly (string | null)[];
  /** Places in `names`. */
  name: readonly number[];
  op: readonly SpanOp[];
  status: readonly ("unset" | "ok" | "error")[];
  /** Microseconds since the trace started. */
  start_us: readonly number[];
  /** Null while a span is open. */
  duration_us: readonly (number | null)[];
  /** The `after` of the next page, or null. */
  next: string | null;
};

/** What kind of an agent's work a span is. */
export type SpanOp =
  | "agent"
  | "workflow"
  | "llm"
  | "embedding"
  | "tool"
  | "retrieval"
  | "memory"
  | "guardrail"
  | "evaluator"
  | "other";

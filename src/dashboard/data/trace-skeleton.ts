/** A page of the spans of a trace, as columns of equal length. */
export type TraceSkeleton = {
  /** The names of spans, each once. */
  names: readonly string[];
  /** The models that they say, each once. */
  models: readonly string[];
  id: readonly string[];
  /** The ids of the parents, which may not have arrived. */
  parent: readonly (string | null)[];
  /** Places in `names`. */
  name: readonly number[];
  /** Places in `models`; null if a span says none. */
  model: readonly (number | null)[];
  op: readonly SpanOp[];
  /** Whether it is a span of Agent Ops itself. */
  service: readonly boolean[];
  status: readonly ("unset" | "ok" | "error" | "lost")[];
  /** Microseconds since the trace started. */
  start_us: readonly number[];
  /** Null while a span is open. */
  duration_us: readonly (number | null)[];
  /** Null if a span says none. */
  tokens: readonly (number | null)[];
  /** US dollars as a decimal number; null if nobody knows it. */
  cost_usd: readonly (string | null)[];
  /** Whether tokens and cost are a sum over calls within. */
  sum: readonly boolean[];
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
  | "human"
  | "other";

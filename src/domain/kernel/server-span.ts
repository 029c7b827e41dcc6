import { createHash } from "node:crypto";
import type { SpanOp, TraceStatus } from "../../db/generated/enums.ts";

/** A span of the service itself: what it did for an agent, or what the agent waited for. Instants are ISO 8601. */
export type ServerSpan = {
  /** 32 hexadecimal digits. Null for that of its task: then it begins within the task's attempt. */
  traceId: string | null;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  op: SpanOp;
  agentId: string;
  conversationId: string | null;
  taskId: string | null;
  missionId: string | null;
  startedAt: string;
  /** Null while it is open. */
  endedAt: string | null;
  status: TraceStatus;
  statusMessage: string | null;
  attributes: Record<string, string | number | boolean>;
  events: readonly { name: string; at: string }[];
};

/** The place of a span in its trace. */
export type SpanPlace = { traceId: string; spanId: string };

/** Returns the id of what has no trace of its caller: that of the task, command or question. */
export function toOwnTraceId(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** Names a span by what it is of, so that it is the same one each time, as 16 hexadecimal digits. */
export function createSpanId(kind: string, ...of: readonly string[]): string {
  const digest = createHash("sha256")
    .update([kind, ...of].join(" "))
    .digest("hex");
  const id = digest.slice(0, 16);
  return id === NO_SPAN ? createSpanId(kind, digest) : id;
}

const NO_SPAN = "0".repeat(16);

/** Builds the header by which work is told its place in a trace. @see https://www.w3.org/TR/trace-context/ */
export function toTraceparent({ traceId, spanId }: SpanPlace): string {
  return `00-${traceId}-${spanId}-01`;
}

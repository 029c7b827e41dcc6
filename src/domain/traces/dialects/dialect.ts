import type { SpanOp } from "../../../db/generated/enums.ts";
import type { TokenKind } from "../../prices/price.ts";

/** Who names the attributes of a span. */
export type DialectName =
  | "claude_code"
  | "codex"
  | "openinference"
  | "ai_sdk"
  | "genai"
  | "openllmetry"
  | "plain";

/** Whether it is one of those that say in their logs what they are billed. */
export function isCodingAgent(dialect: DialectName): boolean {
  return dialect === "claude_code" || dialect === "codex";
}

/** Names of attributes. The first one that has a value counts. */
export type Keys = readonly string[];

/** How a sender names what it says. */
export type Dialect = {
  name: DialectName;
  /** Where the operation stands, and what its values mean. An empty key is the span's name. */
  operations: readonly { key: string; ops: ReadonlyMap<string, SpanOp> }[];
  /** The operation of a span with tokens or a cost that doesn't say one. */
  usageOp: SpanOp;
  /** Whether spans about models without tokens and cost are the sender's plumbing. */
  needsUsage: boolean;
  provider: Keys;
  /** Where no attribute says it. */
  defaultProvider: string | null;
  model: Keys;
  tokens: Readonly<Record<TokenKind, Keys>>;
  /** Whether `input` leaves out what was read from and written to the cache. Null: that depends on the provider. */
  isInputExclusive: boolean | null;
  /** Each with how many pico-dollars its unit is. */
  cost: readonly { key: string; unitPico: bigint }[];
  responseId: Keys;
  requestId: Keys;
  conversation: Keys;
  agent: Keys;
  toolName: Keys;
};

/** Lists each operation with the values that mean it. */
export function toOps(values: Partial<Record<SpanOp, Keys>>): ReadonlyMap<string, SpanOp> {
  // Object.entries() loses the names' types.
  const entries = Object.entries(values) as [SpanOp, Keys][];
  return new Map(entries.flatMap(([op, names]) => names.map((name) => [name, op] as const)));
}

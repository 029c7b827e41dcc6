import type { SpanOp, UsageRole } from "../../../db/generated/enums.ts";
import { SPAN_LIMITS, truncate } from "../span-limits.ts";
import type { Dialect, DialectName, Keys } from "./dialect.ts";
import { findDialect } from "./find-dialect.ts";
import { type SpanLinks, readLinks } from "./read-links.ts";
import { type FindValue, type Usage, readUsage } from "./read-usage.ts";

type Attributes = readonly (readonly [key: string, value: unknown])[];

/** A span or a log record as it was sent. A record's name is empty. */
export type SpanToMap = { scope: string; name: string; attributes: Attributes; resource: Attributes };

/** What a span says, in the same words for all senders. */
export type MappedSpan = {
  dialect: DialectName;
  op: SpanOp;
  /** Whether its usage is one call's, a sum over calls within it, or none. */
  usageRole: UsageRole;
  usage: Usage | null;
  provider: string | null;
  model: string | null;
  responseId: string | null;
  requestId: string | null;
  conversation: string | null;
  /** The agent's id or name. */
  agent: string | null;
  toolName: string | null;
  links: SpanLinks;
};

/** Maps what a span says. Its cost is linear in the attributes. */
export function mapSpan({ scope, name, attributes, resource }: SpanToMap): MappedSpan {
  const find = createFind(attributes);
  const dialect = findDialect(
    scope,
    attributes.map(([key]) => key),
  );
  const usage = readUsage(dialect, find);
  const op = readOp(dialect, { name, find, usage });
  function word(keys: Keys): string | null {
    return toWord(find(keys));
  }
  return {
    ...{ dialect: dialect.name, op, usageRole: getUsageRole(op, usage), usage },
    provider: readProvider(dialect, op, word(dialect.provider)),
    model: word(dialect.model),
    responseId: word(dialect.responseId),
    requestId: word(dialect.requestId),
    conversation: word(dialect.conversation),
    agent: word(dialect.agent),
    toolName: op === "tool" ? word(dialect.toolName) : null,
    links: readLinks(find, findInResource(resource)),
  };
}

/** Spans of one process share the object of its attributes. */
const RESOURCES = new WeakMap<Attributes, FindValue>();

function findInResource(resource: Attributes): FindValue {
  const known = RESOURCES.get(resource) ?? createFind(resource);
  RESOURCES.set(resource, known);
  return known;
}

/** Finds the first attribute of some that has a value. The members of a JSON object `metadata` are attributes too. */
function createFind(attributes: Attributes): FindValue {
  const given = new Map(attributes);
  for (const [key, value] of readMetadata(given.get("metadata"))) {
    if (!given.has(`metadata.${key}`)) given.set(`metadata.${key}`, value);
  }
  return (keys) => {
    for (const key of keys) {
      const value = given.get(key);
      if (value !== undefined && value !== null && value !== "") return value;
    }
    return undefined;
  };
}

function readMetadata(json: unknown): [string, unknown][] {
  if (typeof json !== "string" || !json.startsWith("{")) return [];
  try {
    return Object.entries(JSON.parse(json) as object);
  } catch {
    return [];
  }
}

function readOp(
  { operations, usageOp, needsUsage }: Dialect,
  { name, find, usage }: { name: string; find: FindValue; usage: Usage | null },
): SpanOp {
  for (const { key, ops } of operations) {
    const op = ops.get(key === "" ? name : (toWord(find([key])) ?? ""));
    if (op !== undefined) return op === "llm" && needsUsage && usage === null ? "other" : op;
  }
  return usage === null ? "other" : usageOp;
}

/** Calls of models are charged; what is around them has their sum. */
function getUsageRole(op: SpanOp, usage: Usage | null): UsageRole {
  if (usage === null || usage.problem === "rejected") return "none";
  return op === "llm" || op === "embedding" ? "leaf" : "aggregate";
}

/** The AI SDK's names say which of a provider's APIs: `openai.responses`. */
function readProvider({ name, defaultProvider }: Dialect, op: SpanOp, said: string | null): string | null {
  if (said === null) return op === "llm" || op === "agent" ? defaultProvider : null;
  return name === "ai_sdk" ? (said.split(".", 1)[0] ?? said) : said;
}

function toWord(value: unknown): string | null {
  return typeof value === "string" ? truncate(value, SPAN_LIMITS.wordLength) : null;
}

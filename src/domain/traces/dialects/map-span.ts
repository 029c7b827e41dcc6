import type { SpanOp, UsageRole } from "../../../db/generated/enums.ts";
import type { Dialect, DialectName, Keys } from "./dialect.ts";
import { findDialect } from "./find-dialect.ts";
import { type MappedAttributes, createFind, findInResource, toIdWord, toWord } from "./find-value.ts";
import { type SpanLinks, readLinks } from "./read-links.ts";
import { type FindValue, type Usage, readUsage } from "./read-usage.ts";

/** A span or a log record as it was sent. A record's name is empty. */
export type SpanToMap = {
  scope: string;
  name: string;
  attributes: MappedAttributes;
  resource: MappedAttributes;
};

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
    dialect: dialect.name,
    op,
    usageRole: getUsageRole(op, usage),
    usage,
    provider: readProvider(dialect, op, word(dialect.provider)),
    model: word(dialect.model),
    responseId: toIdWord(find(dialect.responseId)),
    requestId: toIdWord(find(dialect.requestId)),
    conversation: toIdWord(find(dialect.conversation)),
    agent: word(dialect.agent),
    toolName: op === "tool" ? word(dialect.toolName) : null,
    links: readLinks(find, findInResource(resource)),
  };
}

function readOp(
  { operations, usageOp, needsUsage }: Dialect,
  { name, find, usage }: { name: string; find: FindValue; usage: Usage | null },
): SpanOp {
  for (const { key, ops } of operations) {
    const said = key === "" ? name : find([key]);
    const op = typeof said === "string" ? ops.get(said) : undefined;
    if (op !== undefined) return op === "llm" && needsUsage && usage === null ? "other" : op;
  }
  return usage === null ? "other" : usageOp;
}

/** Calls of models are charged; what is around them has their sum. */
function getUsageRole(op: SpanOp, usage: Usage | null): UsageRole {
  if (usage === null || usage.isRejected) return "none";
  return op === "llm" || op === "embedding" ? "leaf" : "aggregate";
}

/** The AI SDK's names say which of a provider's APIs: `openai.responses`. */
function readProvider({ name, defaultProvider }: Dialect, op: SpanOp, said: string | null): string | null {
  if (said === null) return op === "llm" || op === "agent" ? defaultProvider : null;
  return name === "ai_sdk" ? (said.split(".", 1)[0] ?? said) : said;
}

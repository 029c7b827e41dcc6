import type { MappedSpan, SpanToMap } from "../../../../src/domain/traces/dialects/map-span.ts";
import type { TokenCounts } from "../../../../src/domain/prices/price.ts";

/** What a sender sent, and what it says. What isn't named is null, and for tokens not said. */
export type SentCase = {
  sender: string;
  span: {
    scope?: string;
    name?: string;
    attributes: Record<string, unknown>;
    resource?: Record<string, unknown>;
  };
  says: Partial<Omit<MappedSpan, "usage" | "links">> & {
    tokens?: Partial<TokenCounts>;
    costPico?: bigint;
    taskId?: string;
  };
};

/** A span as it is mapped. */
export function toSpan({ scope = "", name = "", attributes, resource = {} }: SentCase["span"]): SpanToMap {
  return { scope, name, attributes: Object.entries(attributes), resource: Object.entries(resource) };
}

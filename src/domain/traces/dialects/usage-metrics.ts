import type { Metered } from "../../usage/metered.ts";
import type { Keys } from "./dialect.ts";

/** A metric of what calls of models used. */
export type UsageMetric = {
  /** The attribute that says of which kind tokens are, and what counts each kind. Null of a cost in dollars. */
  kinds: { key: string; counts: ReadonlyMap<string, readonly Metered[]> } | null;
  model: Keys;
};

const GENAI: UsageMetric = {
  kinds: {
    key: "gen_ai.token.type",
    counts: new Map<string, readonly Metered[]>([
      ["input", ["inputTokens"]],
      ["output", ["outputTokens"]],
    ]),
  },
  model: ["gen_ai.response.model", "gen_ai.request.model"],
};

const AGENT_MODEL = ["model", "gen_ai.response.model", "gen_ai.request.model"];

/** The metrics that are kept, by their names. */
export const USAGE_METRICS: ReadonlyMap<string, UsageMetric> = new Map([
  [
    "claude_code.token.usage",
    {
      kinds: {
        key: "type",
        counts: new Map<string, readonly Metered[]>([
          ["input", ["inputTokens"]],
          ["cacheRead", ["inputTokens", "cacheReadTokens"]],
          ["cacheCreation", ["inputTokens", "cacheWriteTokens"]],
          ["output", ["outputTokens"]],
        ]),
      },
      model: AGENT_MODEL,
    },
  ],
  ["claude_code.cost.usage", { kinds: null, model: AGENT_MODEL }],
  [
    "codex.turn.token_usage",
    {
      kinds: {
        key: "token_type",
        counts: new Map<string, readonly Metered[]>([
          ["input", ["inputTokens"]],
          ["cached_input", ["cacheReadTokens"]],
          ["output", ["outputTokens"]],
        ]),
      },
      model: AGENT_MODEL,
    },
  ],
  ["gen_ai.client.token.usage", GENAI],
  // The same since it was renamed.
  ["gen_ai.client.inference.tokens", GENAI],
]);

/** What agents' metrics count. Input is the whole prompt, with what was cached. */
export type Metered = "inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "outputTokens" | "costPico";

/** All of {@link Metered}. */
export const METERED: readonly Metered[] = [
  ...(["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "costPico"] as const),
];

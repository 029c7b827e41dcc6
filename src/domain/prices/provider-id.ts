import { findProvider } from "@pydantic/genai-prices";
import { LRUCache } from "lru-cache";

/** Names that are not found by themselves: of OpenTelemetry's conventions, and of clients. */
const ALIASES = new Map([
  ["az.ai.inference", "azure"],
  ["az.ai.openai", "azure"],
  ["azure.ai.inference", "azure"],
  ["azure.ai.openai", "azure"],
  ["azure-openai", "azure"],
  ["azure_openai", "azure"],
  ["azure_ai", "azure"],
  ["fireworks_ai", "fireworks"],
  ["fireworks-ai", "fireworks"],
  ["gcp.gen_ai", "google"],
  ["togetherai", "together"],
  ["x_ai", "x-ai"],
  ["z.ai", "zai"],
]);

/** Programs between a caller and a provider: the model's name says whose it is. */
const ROUTERS = new Set(["", "gateway", "langchain", "litellm", "vercel"]);

/** No provider's name is longer. */
const MAX_LENGTH = 128;

/** Ids of names that were looked up: they hold nothing of a workspace. */
const FOUND = new LRUCache<string, string>({ max: 1000 });

/**
 * Finds the id of a provider in the shipped prices by what a client calls it.
 *
 * @returns the name in lower case if the provider is not known; null if none is named.
 */
export function findProviderId(name: string | null): string | null {
  const asked = (name ?? "").slice(0, MAX_LENGTH).trim().toLowerCase();
  if (ROUTERS.has(asked)) return null;
  const known = FOUND.get(asked) ?? lookUp(ALIASES.get(asked) ?? asked);
  FOUND.set(asked, known);
  return known;
}

function lookUp(name: string): string {
  return findProvider({ providerId: name })?.id ?? name;
}

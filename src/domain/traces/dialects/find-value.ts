import { LRUCache } from "lru-cache";
import { redactContentText } from "../redact-content.ts";
import { digest } from "../session-trace.ts";
import { SPAN_LIMITS, truncate } from "../span-limits.ts";
import type { FindValue } from "./read-usage.ts";

export type MappedAttributes = readonly (readonly [key: string, value: unknown])[];

/** Finds the first attribute of some that has a value. The members of a JSON object `metadata` are attributes too. */
export function createFind(attributes: MappedAttributes): FindValue {
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

/** What is sent by one process shares the object of its attributes. */
const RESOURCES = new WeakMap<MappedAttributes, FindValue>();

export function findInResource(resource: MappedAttributes): FindValue {
  const known = RESOURCES.get(resource) ?? createFind(resource);
  RESOURCES.set(resource, known);
  return known;
}

/** Models, tools and agents are the same in most spans. They hold nothing of a workspace. */
const WORDS = new LRUCache<string, string>({ max: 5000 });

/** A short text without secrets; null for what is none. It is stored whatever is stored of content. */
export function toWord(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const sent = truncate(value, SPAN_LIMITS.wordLength);
  const known = WORDS.get(sent);
  if (known !== undefined) return known;
  const word = redactContentText(sent);
  WORDS.set(sent, word);
  return word;
}

/** The same for an id: one that had a secret is still another one than others that had. */
export function toIdWord(value: unknown): string | null {
  const word = toWord(value);
  if (typeof value !== "string" || word === truncate(value, SPAN_LIMITS.wordLength)) return word;
  return `[redacted] ${digest(value).slice(0, 16)}`;
}

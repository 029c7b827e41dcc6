import { LRUCache } from "lru-cache";
import { isSecretMember } from "../kernel/redact/is-secret-member.ts";
import { findContentKind } from "./content-keys.ts";
import { isForbidden, isPersonal, redactContentText } from "./redact-content.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";

/** What an attribute's name says of how it is stored. */
export type AttributeName = {
  /** Within the limits. */
  key: string;
  /** The same without secrets. */
  redacted: string;
  /** Both as JSON text. */
  json: { key: string; redacted: string };
  /** Whether the value is content, and of what. */
  content: "input" | "output" | null;
  /** Whether it is never stored. */
  isForbidden: boolean;
  /** Whether it names a person or an account. */
  isPersonal: boolean;
  /** Whether some values are secrets. */
  isSecret: boolean;
};

/** Senders use few names, in all spans. They hold nothing of a workspace. */
const NAMES = new LRUCache<string, AttributeName>({ max: 5000 });

/** Reads an attribute's name. */
export function readAttributeName(sent: string): AttributeName {
  const known = NAMES.get(sent);
  if (known !== undefined) return known;
  const key = truncate(sent, SPAN_LIMITS.keyLength);
  const redacted = redactContentText(key);
  const name = {
    key,
    redacted,
    json: { key: JSON.stringify(key), redacted: JSON.stringify(redacted) },
    content: findContentKind(key),
    isForbidden: isForbidden(key),
    isPersonal: isPersonal(key),
    isSecret: isSecretMember(key),
  };
  if (sent.length <= SPAN_LIMITS.keyLength) NAMES.set(sent, name);
  return name;
}

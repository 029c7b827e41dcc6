import { hidePasswords } from "./redact/address-passwords.ts";
import { HIDDEN } from "./redact/hidden.ts";
import { hideNamed } from "./redact/hide-named.ts";
import { isSecretMember } from "./redact/is-secret-member.ts";
import { BASIC, KNOWN_SECRETS, SHORTEST_SECRET, isUserAndPassword } from "./redact/known-secrets.ts";
import { findNamedValue, getOptionName } from "./redact/named-values.ts";
import { mayNameSecret } from "./redact/names-in-text.ts";
import { parseJsonText } from "./redact/parse-json-text.ts";
import { hidePrivateKeys } from "./redact/private-keys.ts";

const REPLACED = "\ufffd";

/** Whether a text may have been another one before {@link redact}. */
export function mayBeRedacted(text: string): boolean {
  return text.includes(HIDDEN) || text.includes(REPLACED);
}

/**
 * Replaces secrets in JSON: the values of members with a secret's name, and secrets in texts. Characters that
 * PostgreSQL can't store are replaced too.
 *
 * @returns a copy.
 */
export function redact(value: unknown): unknown {
  return redactCounted(value).value;
}

/**
 * {@link redact}, with the number of values and names that are other ones in the copy.
 *
 * @param redactOne replaces what is secret in one text.
 */
export function redactCounted(
  value: unknown,
  redactOne: (text: string) => string = redactText,
): { value: unknown; count: number } {
  const redaction = { redactOne, count: 0 };
  return { value: redactValue(value, redaction), count: redaction.count };
}

type Redaction = { redactOne: (text: string) => string; count: number };

function redactValue(value: unknown, redaction: Redaction): unknown {
  if (typeof value === "string") return redactString(value, redaction);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? redactList(value, redaction) : redactObject(value, redaction);
}

function redactString(text: string, redaction: Redaction): string {
  const redacted = redaction.redactOne(text);
  if (redacted !== text) redaction.count++;
  return redacted;
}

/** A list may be the arguments of a program: `["--password", "…"]`. */
function redactList(list: readonly unknown[], redaction: Redaction): unknown[] {
  return list.map((element, index) => {
    const option = getOptionName(list[index - 1], element);
    return redactMember(option, element, redaction);
  });
}

function redactMember(name: string | null, value: unknown, redaction: Redaction): unknown {
  if (name === null || !isSecretMember(name, value)) return redactValue(value, redaction);
  redaction.count++;
  return HIDDEN;
}

function redactObject(value: object, redaction: Redaction): object {
  const members: [string, unknown][] = Object.entries(value);
  const named = findNamedValue(value);
  const names = redactNames(
    members.map(([name]) => name),
    redaction,
  );
  return Object.fromEntries(
    members.map(([name, member], index): [string, unknown] => {
      const known = name === named?.member ? named.name : name;
      return [names[index] ?? name, redactMember(known, member, redaction)];
    }),
  );
}

/** Numbers names that are the same without their secrets, so that no member is lost. */
function redactNames(names: readonly string[], redaction: Redaction): string[] {
  const shown = names.map((name) => redactString(name, redaction));
  const taken = new Set(shown.filter((name, index) => name === names[index]));
  const next = new Map<string, number>();
  return shown.map((name, index) => {
    if (name === names[index]) return name;
    let number = next.get(name) ?? 1;
    let unique = name;
    for (; taken.has(unique); number++) unique = `${name} ${number + 1}`;
    next.set(name, number);
    taken.add(unique);
    return unique;
  });
}

/**
 * Replaces secrets in a text: those with a known form, and what is set to one by its name. Takes linear time.
 *
 * @param isRecord whether the text only tells what happened. Of what people approve, no more is hidden than a secret's
 *   word: not what a shell would act on.
 */
export function redactText(text: string, isRecord = false): string {
  const mayName = mayNameSecret(text);
  const json = mayName ? parseJsonText(text) : undefined;
  if (json !== undefined) {
    const { value, count } = redactCounted(json, (one) => redactText(one, isRecord));
    if (count > 0) return JSON.stringify(value);
  }
  const storable = text.toWellFormed().replaceAll("\u0000", REPLACED);
  if (storable.length < SHORTEST_NAMED) return storable;
  const shown = hidePasswords(hideKnown(storable), isRecord);
  return mayName ? hideNamed(shown, isRecord) : shown;
}

function hideKnown(text: string): string {
  let shown = hidePrivateKeys(text);
  if (shown.length >= SHORTEST_SECRET) shown = shown.replaceAll(KNOWN_SECRETS, HIDDEN);
  return shown.replaceAll(BASIC, (match, base64: string) => (isUserAndPassword(base64) ? HIDDEN : match));
}

/** The characters of the shortest text with a secret that is named: `pin='x'`. */
const SHORTEST_NAMED = 6;

import { createHash } from "node:crypto";
import { redactCounted, redactText } from "../kernel/redact.ts";
import type { Json } from "./telemetry.ts";

/** Attributes that are never stored, whatever the workspace's setting. */
const FORBIDDEN = /authorization|api[_-]?key|password|cookie/i;

/** Attributes that name a person or an account. */
const PERSONAL = new Set([
  ...["user.id", "user.email", "user.name", "user.full_name", "user.account_uuid", "user.account_id"],
  ...["organization.id", "enduser.id", "enduser.pseudo.id"],
]);

/** No repository is a person. Starts where no address could already have begun, and each part is bounded: linear time. */
const EMAIL =
  /(?<![A-Za-z0-9._%+-])(?!git@)[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![A-Za-z0-9-])/g;

/** 13 to 19 digits, as card numbers begin. Bounded: linear time. */
const CARD = /(?<![0-9])[3-6](?:[ -]?[0-9]){12,18}(?![0-9])/g;
const SHORTEST_CARD = 13;

/** Whether an attribute with this name is never stored. */
export function isForbidden(key: string): boolean {
  return FORBIDDEN.test(key);
}

export function isPersonal(key: string): boolean {
  return PERSONAL.has(key);
}

/** All attributes that a person's spans may have, by what senders call the person: JSON objects, one attribute each. */
export function listPersonAttributes(workspaceId: string, person: string): string[] {
  const number = Number(person);
  const values = [person, ...(String(number) === person ? [number] : [])];
  const stored = values.flatMap((value) => [value, hashPerson(workspaceId, value)]);
  return [...PERSONAL].flatMap((key) => stored.map((value) => JSON.stringify({ [key]: value })));
}

/** Names a person by a text that is the same in all traces of the workspace, and says nothing else. */
export function hashPerson(workspaceId: string, value: Json): string {
  const hash = createHash("sha256")
    .update(`${workspaceId} ${JSON.stringify(value)}`)
    .digest("hex");
  return `sha256:${hash.slice(0, 32)}`;
}

/** Replaces secrets, email addresses and card numbers in a text. */
export function redactContentText(text: string): string {
  const redacted = redactText(text, true);
  const known = redacted.includes("@") ? redacted.replaceAll(EMAIL, "[redacted:email]") : redacted;
  if (known.length < SHORTEST_CARD) return known;
  return known.replaceAll(CARD, (digits) => (isCardNumber(digits) ? "[redacted:card]" : digits));
}

/** {@link redactContentText} for all texts in a value, also the values of members with a secret's name. */
export function redactContent(value: Json): { value: Json; count: number } {
  const { value: redacted, count } = redactCounted(value, redactContentText);
  // A copy of JSON.
  return { value: redacted as Json, count };
}

/** The check digit of card numbers. @see ISO/IEC 7812-1, annex B */
function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/[ -]/g, ""), Number).toReversed();
  const sum = digits.reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

import { isSecretMember } from "./is-secret-member.ts";
import { SECRET_NAME_END, readNameBefore } from "./names-in-text.ts";

/** The end of a name that is quoted: of a member, of an option in a list, or the value of a member `name`. */
const QUOTED_NAME_END = new RegExp(String.raw`${SECRET_NAME_END}(?=["'][ \t\r\n]{0,4}[:,}])`, "gi");

/** Numbers that would be other ones. */
const LONG_NUMBER = /[0-9]{16}/;

const MOST_LEVELS = 100;

/** Parses a text that is an object or a list of JSON and may name secrets. @returns undefined for any other text. */
export function parseJsonText(text: string): object | undefined {
  const isJson = /^\s{0,100}[[{]/.test(text) && /[\]}]\s{0,100}$/.test(text.slice(-101));
  if (!isJson || !namesSecret(text) || LONG_NUMBER.test(text) || isDeep(text)) return undefined;
  try {
    // Begins as an object or a list.
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function namesSecret(text: string): boolean {
  for (const { 0: match, index } of text.matchAll(QUOTED_NAME_END))
    if (isSecretMember(readNameBefore(text, index + match.length))) return true;
  return false;
}

/** Whether a text may have more levels than a stack has room for. */
function isDeep(text: string): boolean {
  let level = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    level += bracket === "[" || bracket === "{" ? 1 : -1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

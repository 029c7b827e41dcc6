import { LIMITS } from "../domain/limits.ts";
import { COMMON_WORDS, RUNS } from "./common-passwords.ts";

/** Whose password it is to be, and how many code points it has at least. */
export type PasswordRules = { email: string | null; min: number };

const { max } = LIMITS.passwordLength;
/** No text of more UTF-16 units becomes short enough when it is composed. */
const MOST_UNITS = max * 32;

/**
 * Why a text can't be a password, or null. Lengths are counted in code points after NFKC. Nothing is asked
 * of what it is composed of; but what everybody would guess first is refused: common words, keyboard
 * rows and repetitions, and the person's own address, whatever digits and signs stand around them.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
 */
export function passwordProblem(password: string, { email, min }: PasswordRules): string | null {
  const length = password.length > MOST_UNITS ? Infinity : Array.from(password.normalize("NFKC")).length;
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  if (password.includes("\0") || !password.isWellFormed()) {
    return "must not contain NUL or half a surrogate pair";
  }
  const folded = password.normalize("NFKC").toLowerCase();
  if (isCommon(folded)) return "is too easy to guess: it is a password that many people use";
  if (email !== null && isAddress(folded, email.normalize("NFKC").toLowerCase())) {
    return "is too easy to guess: it is made of the e-mail address";
  }
  return null;
}

function isCommon(password: string): boolean {
  return (
    COMMON_WORDS.has(coreOf(password)) ||
    RUNS.some((run) => run.includes(password) || reversed(run).includes(password)) ||
    isRepetition(password)
  );
}

function isAddress(password: string, email: string): boolean {
  const [local = ""] = email.split("@");
  const core = coreOf(password);
  return core !== "" && [email, local].some((part) => coreOf(part) === core);
}

/** What a text spells: without what stands around its letters, digits and signs in between read as letters. */
function coreOf(text: string): string {
  return text
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
    .replaceAll(/[013457@$!]/g, (sign) => READ_AS[sign] ?? "")
    .replaceAll(/[^\p{L}\p{M}]/gu, "");
}

const READ_AS: Record<string, string> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" },
  ...{ "@": "a", $: "s", "!": "i" },
};

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}

/** Whether it is one to four characters again and again. */
function isRepetition(password: string): boolean {
  return /^(.{1,4}?)\1{2,}.{0,3}$/su.test(password);
}

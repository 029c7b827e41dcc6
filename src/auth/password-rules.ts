import { LIMITS } from "../domain/kernel/limits.ts";
import { COMMON_NAMES } from "./common-names.ts";
import { COMMON_RUNS } from "./common-runs.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { isKeyboardWalk } from "./is-keyboard-walk.ts";

/** The person's address, and the minimum length in code points. */
export type PasswordRules = { email: string | null; min: number };

const { max } = LIMITS.passwordLength;
/** A longer text, in UTF-16 units, can't become short enough by normalization. */
const MOST_UNITS = max * 32;

/**
 * Returns why a text can't be a password, or null. Lengths count code points after NFKC. Character classes
 * are not required. Rejects what is guessed first, with any digits and punctuation in between: one or two
 * common words, keyboard walks, repetitions and the person's own address.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
 */
export function findPasswordProblem(password: string, { email, min }: PasswordRules): string | null {
  const length = measure(password);
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  if (!isStorable(password)) return "must not contain NUL or an unpaired surrogate";
  const folded = password.normalize("NFKC").toLowerCase();
  if (isCommon(folded)) return "is too easy to guess: many people use this password";
  if (email !== null && isAddress(folded, email.normalize("NFKC").toLowerCase())) {
    return "is too easy to guess: it is based on your email address";
  }
  return null;
}

/** Whether a text may be the password of an account, by its form alone. Other texts need not be hashed. */
export function isPasswordPossible(password: string): boolean {
  return password !== "" && measure(password) <= max && isStorable(password);
}

/** Returns the length in code points after NFKC, or Infinity for a text that is too long to be normalized. */
function measure(password: string): number {
  return password.length > MOST_UNITS ? Infinity : Array.from(password.normalize("NFKC")).length;
}

function isStorable(password: string): boolean {
  return !password.includes("\0") && password.isWellFormed();
}

const COMMON: ReadonlySet<string> = new Set([...COMMON_WORDS, ...COMMON_NAMES]);

function isCommon(password: string): boolean {
  return (
    COMMON_RUNS.some((run) => run.includes(password) || reverse(run).includes(password)) ||
    isKeyboardWalk(password) ||
    isRepetition(password) ||
    listReadings(password).some((reading) => isBuiltFrom(reading, COMMON))
  );
}

/** Whether it is the address, or a part of it with or without a common word. */
function isAddress(password: string, email: string): boolean {
  const [local = "", domain = ""] = email.split("@");
  // Without the last label: there are few, and they occur in words of every kind.
  const parts = [email, local, domain, ...domain.split(".").slice(0, -1)].map(keepLetters);
  const own = new Set([...COMMON, ...parts.filter((part) => part.length >= SHORTEST_PART)]);
  return listReadings(password).some((reading) => isBuiltFrom(reading, own) || parts.includes(reading));
}

const SHORTEST_PART = 3;
const DIFFERENT_WORDS = 2;

/** Whether it consists of at most `different` words of a set, each repeated any number of times. */
function isBuiltFrom(text: string, words: ReadonlySet<string>, different = DIFFERENT_WORDS): boolean {
  if (different === 0) return false;
  for (let length = SHORTEST_PART; length <= text.length; length++) {
    const word = text.slice(0, length);
    if (!words.has(word)) continue;
    const rest = text.replaceAll(word, "");
    if (rest === "" || isBuiltFrom(rest, words, different - 1)) return true;
  }
  return false;
}

/** Lists what a text may spell: its letters alone, and with digits and signs read as letters. */
function listReadings(text: string): string[] {
  const start = text.replace(/^[^\p{L}]+/u, "");
  const ends = [text, start].flatMap((part) => [part, part.replace(/(?<=\p{L}|^)[^\p{L}]+$/u, "")]);
  const readings = ends.flatMap((part) =>
    LOOKALIKES.map((letters) => keepLetters(substituteSigns(part, letters))),
  );
  return [...new Set([keepLetters(text), ...readings])].filter((reading) => reading !== "");
}

function substituteSigns(text: string, letters: Record<string, string>): string {
  return text.replaceAll(/[^\p{L}]/gu, (sign) => letters[sign] ?? "");
}

function keepLetters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}]/gu, "");
}

const AS_LETTERS = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
  "+": "t",
  "|": "l",
  "(": "c",
  "€": "e",
  "£": "l",
};
/** Some signs look like two different letters. */
const LOOKALIKES: Record<string, string>[] = [AS_LETTERS, { ...AS_LETTERS, "1": "l", "!": "l", "|": "i" }];

function reverse(text: string): string {
  return Array.from(text).toReversed().join("");
}

/** Whether it repeats one to four characters. */
function isRepetition(password: string): boolean {
  return /^(.{1,4}?)\1{2,}.{0,3}$/su.test(password);
}

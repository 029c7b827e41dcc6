import { HIDDEN } from "./hidden.ts";
import { isSecretMember } from "./is-secret-member.ts";
import { SECRET_NAME_END, readNameBefore } from "./names-in-text.ts";
import { type Found, type ValueReader, createValueReader } from "./value-reader.ts";

/**
 * How a name with what divides it from a value ends: `--password `, `API_KEY=`, `token: `, `"secret":`,
 * `"--token",`, `"name": "PIN", "value":`. Each part is
 * bounded: linear time.
 */
const NAME_END = new RegExp(
  String.raw`${SECRET_NAME_END}(?:(?<option> {1,4}(?![ =:-]))|(?<quote>\\{0,3}["'])?(?<sign>[ \t]{0,4}(?:=>|[=:])(?!=)[ \t]{0,4})|(?<list>\\{0,3}["'], ?(?:\\{0,3}["']value\\{0,3}["']: ?)?(?=\\{0,3}["'](?!-))))`,
  "gi",
);

/** Parameters of an address that are secrets, only there. */
const PARAMETERS = /^(?:key|sig|signature|x-(?:amz|goog)-signature)$/i;

const OPTION = /^-{1,2}[A-Za-z]/;

/** An opening quote, which may be within a text of JSON. */
const QUOTE = /\\{0,3}["']/y;

/** A name in a text. */
type Named = {
  text: string;
  name: string;
  /** Where it begins, and where its value begins. */
  at: number;
  start: number;
  /** Whether it is quoted itself. */
  isQuoted: boolean;
  /** Whether the value is said to be one: `"value": …`. */
  isValue: boolean;
  /** What divides it from the value. */
  sign: "option" | "=" | ":";
  values: ValueReader;
};

/**
 * Replaces what is set to a secret by its name: a shell's variables and options, members of JSON and YAML, headers,
 * parameters of addresses. In prose, only what looks like a secret is one. Takes linear time.
 *
 * @param isRecord whether the text only tells what happened: then values have more characters.
 */
export function hideNamed(text: string, isRecord: boolean): string {
  const values = createValueReader(text, isRecord);
  let shown = "";
  let from = 0;
  for (const match of text.matchAll(NAME_END)) {
    if (match.index < from) continue;
    const named = toNamed(match, text, values);
    for (const { start, end } of findSecrets(named)) {
      shown += text.slice(from, start) + HIDDEN;
      from = end;
    }
  }
  return shown + text.slice(from);
}

function toNamed(
  { 0: match, index, groups = {} }: RegExpExecArray,
  text: string,
  values: ValueReader,
): Named {
  const { list, option = list, quote = "", sign = "" } = groups;
  const start = index + match.length;
  const end = start - (option ?? quote + sign).length;
  const name = readNameBefore(text, end);
  return {
    text,
    name,
    at: end - name.length,
    start,
    isQuoted: quote !== "",
    values,
    isValue: list?.includes("value") === true,
    sign: option === undefined ? (sign === "=" || sign === "=>" ? "=" : ":") : "option",
  };
}

function findSecrets(named: Named): Found[] {
  const { name, text, at } = named;
  if (named.sign === "option" && !OPTION.test(name) && !named.isValue) return [];
  if (/^(?:set-)?cookie$/i.test(name)) return named.values.findCookies(skipQuote(text, named.start));
  const isParameter = /[?&]/.test(text.charAt(at - 1)) && PARAMETERS.test(name);
  if (!isParameter && !isSecretMember(name)) return [];
  const found = findValue(named);
  if (found === null) return [];
  const value = text.slice(found.start, found.end);
  if (isParameter) return value.length >= 8 ? [found] : [];
  const isNumber = named.isQuoted && !isQuote(text, found.start - 1) && /^[0-9.]+$/.test(value);
  const said = /^[\w-]{1,20}(?=[)\]}]{1,4}$)/.exec(value)?.[0] ?? value;
  return isSecretMember(name, isNumber ? Number(value) : said) ? [found] : [];
}

function findValue(named: Named): Found | null {
  const { text, name, start, sign, values } = named;
  const quoted = skipQuote(text, start);
  if (quoted > start) return findQuoted(named, quoted);
  const isHeader = /authorization$/i.test(name);
  const end = isHeader ? values.findCredentialsEnd(start) : values.findWordEnd(start);
  if (end === null) return null;
  const value = text.slice(start, end);
  if (isHeader) return isLikely(value) || standsAlone(named, end) ? { start, end } : null;
  const isSet = sign !== ":" || named.isQuoted || isVariable(name);
  return isSet || isLikely(value) || standsAlone(named, end) ? { start, end } : null;
}

function findQuoted({ values, name }: Named, start: number): Found | null {
  const end =
    values.findWordsEnd(start) ??
    (/authorization$/i.test(name) ? values.findCredentialsEnd(start) : values.findWordEnd(start));
  return end === null ? null : { start, end };
}

/** @returns where the text goes on, after an opening quote if there is one. */
function skipQuote(text: string, at: number): number {
  QUOTE.lastIndex = at;
  return QUOTE.test(text) ? QUOTE.lastIndex : at;
}

/** Whether a text is rather a secret than a word of prose or of a program. */
function isLikely(value: string): boolean {
  return /[0-9]/.test(value.slice(0, 100));
}

/** Such as `DATABASE_PASSWORD`. */
function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);
}

/** The characters before a name that are looked at. */
const LEAD = 24;

/** Whether a name and its value are a whole line, or a whole quoted text. */
function standsAlone({ text, at }: Named, end: number): boolean {
  const next = text.charAt(end);
  const lead = text.slice(Math.max(0, at - LEAD), at);
  if (isQuote(text, at - 1)) return isQuote(text, end) || next === "\\";
  const isAtStart = /(?:^|[\r\n])[ \t]{0,20}(?:[-+>] )?$/.test(at <= LEAD ? lead : `.${lead}`);
  return isAtStart && (next === "" || /[\r\n]/.test(next) || /^\s{1,20}#/.test(text.slice(end, end + 24)));
}

function isQuote(text: string, at: number): boolean {
  return /["']/.test(text.charAt(at));
}

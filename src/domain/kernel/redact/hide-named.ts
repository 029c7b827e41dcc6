import { HIDDEN } from "./hidden.ts";
import { isSecretMember } from "./is-secret-member.ts";
import { SECRET_NAME_END, readNameBefore } from "./names-in-text.ts";

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

/** How the value of an Authorization header begins. */
const SCHEMES =
  "[Bb]earer|[Bb]asic|[Tt]oken|[Dd]igest|[Aa]pi-?[Kk]ey|[Kk]ey|[Nn]egotiate|NTLM|SSWS|Splunk|Bot|GenieKey|OAuth";

/** What a value consists of. Beside a secret, a command shows all that a shell acts on: nothing else hides there. */
const [COMMAND, RECORD] = [String.raw`[^\s"'${"`"};|&$()<>,\\]`, String.raw`[^\s"';&,\\]`].map((one) => ({
  /** A word, but no variable, nor a call of a function as in `token = read()`. */
  word: new RegExp(String.raw`(?!\/\/|\$[\w({]|<|\{\{|[A-Za-z_][\w.]{0,60}[([])${one}{4,4096}`, "y"),
  /** The words of a quoted text, as far as none is an option or a path. */
  words: new RegExp(String.raw`${one}{1,4096}(?: (?![-/~@.])${one}{1,100}){0,8}(?=\\{0,3}["'])`, "y"),
  scheme: new RegExp(String.raw`(?:(?:${SCHEMES}) )?${one}{3,4096}`, "y"),
  cookie: new RegExp(String.raw`(?<name>[\w.$-]{1,64})=(?<value>${one}{1,4096})(?:; ?)?`, "y"),
})) as [Reading, Reading];
type Reading = Record<"word" | "words" | "scheme" | "cookie", RegExp>;

/** What cookies are kept with. */
const COOKIE_TERMS = /^(?:path|domain|expires|max-age|samesite|version)$/i;

type Found = { start: number; end: number };

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
  reading: Reading;
};

/**
 * Replaces what is set to a secret by its name: a shell's variables and options, members of JSON and YAML, headers,
 * parameters of addresses. In prose, only what looks like a secret is one. Takes linear time.
 *
 * @param isRecord whether the text only tells what happened: then values have more characters.
 */
export function hideNamed(text: string, isRecord: boolean): string {
  let shown = "";
  let from = 0;
  for (const match of text.matchAll(NAME_END)) {
    if (match.index < from) continue;
    const named = toNamed(match, text, isRecord ? RECORD : COMMAND);
    for (const { start, end } of findSecrets(named)) {
      shown += text.slice(from, start) + HIDDEN;
      from = end;
    }
  }
  return shown + text.slice(from);
}

function toNamed({ 0: match, index, groups = {} }: RegExpExecArray, text: string, reading: Reading): Named {
  const { list, option = list, quote = "", sign = "" } = groups;
  const start = index + match.length;
  const end = start - (option ?? quote + sign).length;
  const name = readNameBefore(text, end);
  return {
    ...{ text, name, at: end - name.length, start, isQuoted: quote !== "", reading },
    isValue: list?.includes("value") === true,
    sign: option === undefined ? (sign === "=" || sign === "=>" ? "=" : ":") : "option",
  };
}

function findSecrets(named: Named): Found[] {
  const { name, text, at } = named;
  if (named.sign === "option" && !OPTION.test(name) && !named.isValue) return [];
  if (/^(?:set-)?cookie$/i.test(name)) return findCookies(named);
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

/** Shows the names of cookies: what follows a semicolon may be a command. */
function findCookies({ text, start, reading: { cookie } }: Named): Found[] {
  const found: Found[] = [];
  let at = start + (matchAt(QUOTE, text, start)?.length ?? 0);
  for (;;) {
    const match = execAt(cookie, text, at);
    if (match === null) return found;
    const { name = "", value = "" } = match.groups ?? {};
    const from = at + name.length + 1;
    if (!COOKIE_TERMS.test(name)) found.push({ start: from, end: from + value.length });
    at += match[0].length;
  }
}

function findValue(named: Named): Found | null {
  const { text, name, start, sign, reading } = named;
  const quote = matchAt(QUOTE, text, start);
  if (quote !== null) return findQuoted(named, start + quote.length);
  const isHeader = /authorization$/i.test(name);
  const value = matchAt(isHeader ? reading.scheme : reading.word, text, start);
  if (value === null) return null;
  const found = { start, end: start + value.length };
  if (isHeader) return isLikely(value) || standsAlone(named, found) ? found : null;
  const isSet = sign !== ":" || named.isQuoted || isVariable(name);
  return isSet || isLikely(value) || standsAlone(named, found) ? found : null;
}

function findQuoted({ text, reading, name }: Named, start: number): Found | null {
  const value =
    matchAt(reading.words, text, start) ??
    matchAt(/authorization$/i.test(name) ? reading.scheme : reading.word, text, start);
  return value === null ? null : { start, end: start + value.length };
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
function standsAlone({ text, at }: Named, { end }: Found): boolean {
  const next = text.charAt(end);
  const lead = text.slice(Math.max(0, at - LEAD), at);
  if (isQuote(text, at - 1)) return isQuote(text, end) || next === "\\";
  const isAtStart = /(?:^|[\r\n])[ \t]{0,20}(?:[-+>] )?$/.test(at <= LEAD ? lead : `.${lead}`);
  return isAtStart && (next === "" || /[\r\n]/.test(next) || /^\s{1,20}#/.test(text.slice(end, end + 24)));
}

function isQuote(text: string, at: number): boolean {
  return /["']/.test(text.charAt(at));
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  return execAt(pattern, text, at)?.[0] ?? null;
}

/** @param pattern sticky. */
function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

import { HIDDEN } from "./hidden.ts";

/** What every private key in text has. */
const MARK = "PRIVATE KEY";
const KEY = "[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
/** The end of a line, also as it is written in a text of JSON. */
const LINE_END = String.raw`(?:\\[nr]|\s){1,4}`;
/** Such as `Proc-Type: 4,ENCRYPTED` and `Version: GnuPG v2`. Only a line's end is the end of one, not a space in it. */
const HEADERS = String.raw`(?:[A-Z][A-Za-z]{2,20}(?:-[A-Z][A-Za-z]{2,20})?: [\w ,.:/()@-]{1,100}(?:\\[nr]|[\r\n])(?:\\[nr]|\s){0,3}){0,6}`;

/** A key as far as its lines are Base64, which commands are not. Bounded, and what divides lines is not within them. */
const FROM_BEGIN = new RegExp(
  `-----BEGIN ${KEY}${LINE_END}${HEADERS}(?:[0-9A-Za-z+/=]{16,4096}${LINE_END}){0,1000}` +
    `(?:[0-9A-Za-z+/=]{16,4096}|(?:[0-9A-Za-z+/]{1,100}={0,2}${LINE_END})?(?:=[0-9A-Za-z+/]{4}${LINE_END})?-----END ${KEY})`,
  "g",
);
/** The same of PuTTY's files. */
const PUTTY = new RegExp(
  String.raw`Private-Lines: \d{1,3}${LINE_END}(?:[0-9A-Za-z+/=]{1,4096}${LINE_END}){1,1000}`,
  "g",
);
const END = new RegExp(`-----END ${KEY}`, "g");

/** Replaces private keys. Of one that has lost its beginning or its end, the rest is replaced. Takes linear time. */
export function hidePrivateKeys(text: string): string {
  const shown = text.includes("Private-Lines:") ? text.replaceAll(PUTTY, HIDDEN) : text;
  if (!shown.includes(MARK)) return shown;
  return hideTails(shown.replaceAll(FROM_BEGIN, HIDDEN));
}

/** Replaces keys whose beginning is not in the text. */
function hideTails(text: string): string {
  let shown = "";
  let from = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const start = findStart(text, from, index);
    if (index - start < SHORTEST_TAIL) continue;
    shown += text.slice(from, start) + HIDDEN;
    from = index + end.length;
  }
  return shown + text.slice(from);
}

const SHORTEST_TAIL = 40;
const OF_KEY = /^[0-9A-Za-z+/=\\\s]$/;

/** Goes back over Base64 and ends of lines. */
function findStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && OF_KEY.test(text.charAt(start - 1))) start--;
  return start;
}

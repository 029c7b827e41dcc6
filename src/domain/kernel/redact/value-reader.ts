/** A part of a text. */
export type Found = { start: number; end: number };

/**
 * Reads in a text what may be the values of secrets, each from a position. Positions must not decrease: however many
 * are read, and wherever values end, all together take linear time.
 */
export type ValueReader = {
  /** The end of a word, but of no variable, nor of a call of a function as in `token = read()`. */
  findWordEnd: (start: number) => number | null;
  /** The end of a quoted text's words, as far as none is an option or a path. */
  findWordsEnd: (start: number) => number | null;
  /** The end of the value of an Authorization header. */
  findCredentialsEnd: (start: number) => number | null;
  /** The values of cookies. Their names are shown: what follows a semicolon may be a command. */
  findCookies: (start: number) => Found[];
};

/** The characters of a value. The rest of a longer one is no part of it. */
const LONGEST = 4096;

/** How the value of an Authorization header begins. */
const SCHEME =
  /(?:[Bb]earer|[Bb]asic|[Tt]oken|[Dd]igest|[Aa]pi-?[Kk]ey|[Kk]ey|[Nn]egotiate|NTLM|SSWS|Splunk|Bot|GenieKey|OAuth) /y;

/** How what is no word begins. */
const NO_WORD = /\/\/|\$[\w({]|<|\{\{|[A-Za-z_][\w.]{0,60}[([]/y;

const COOKIE_NAME = /[\w.$-]{1,64}(?==)/y;
const COOKIE_END = /(?:; ?)?/y;

/** What cookies are kept with. */
const COOKIE_TERMS = /^(?:path|domain|expires|max-age|samesite|version)$/i;

/** What values consist of. Beside a secret, a command shows all that a shell acts on: nothing else hides there. */
const [COMMAND, RECORD] = [String.raw`[^\s"'${"`"};|&$()<>,\\]`, String.raw`[^\s"';&,\\]`].map((one) => ({
  run: new RegExp(`${one}+`, "y"),
  /** The further words of a quoted text, up to its end. */
  furtherWords: new RegExp(String.raw`(?: (?![-/~@.])${one}{1,100}){0,8}(?=\\{0,3}["'])`, "y"),
})) as [Characters, Characters];
type Characters = Record<"run" | "furtherWords", RegExp>;

/** @param isRecord whether the text only tells what happened: then values have more characters. */
export function createValueReader(text: string, isRecord: boolean): ValueReader {
  const { run, furtherWords } = isRecord ? RECORD : COMMAND;
  /** The characters that were read last. Whoever begins within them ends with them. */
  let read: Found = { start: 0, end: 0 };
  let cookiesReadTo = 0;

  function findRunEnd(start: number, shortest: number): number | null {
    if (start < read.start || start >= read.end) read = { start, end: matchEnd(run, text, start) ?? start };
    const end = Math.min(read.end, start + LONGEST);
    return end - start < shortest ? null : end;
  }

  function findWordEnd(start: number): number | null {
    return matchEnd(NO_WORD, text, start) === null ? findRunEnd(start, 4) : null;
  }

  function findWordsEnd(start: number): number | null {
    const end = findRunEnd(start, 1);
    return end === null ? null : matchEnd(furtherWords, text, end);
  }

  function findCredentialsEnd(start: number): number | null {
    const scheme = matchEnd(SCHEME, text, start);
    return (scheme === null ? null : findRunEnd(scheme, 3)) ?? findRunEnd(start, 3);
  }

  function findCookies(start: number): Found[] {
    const found: Found[] = [];
    let at = start;
    for (;;) {
      const nameEnd = matchEnd(COOKIE_NAME, text, at);
      const end = nameEnd === null ? null : findRunEnd(nameEnd + 1, 1);
      if (nameEnd === null || end === null) break;
      if (!COOKIE_TERMS.test(text.slice(at, nameEnd))) found.push({ start: nameEnd + 1, end });
      at = matchEnd(COOKIE_END, text, end) ?? end;
      // Cookies within the value of another one: those that follow were read with that.
      if (at <= cookiesReadTo) break;
    }
    cookiesReadTo = Math.max(cookiesReadTo, at);
    return found;
  }

  return { findWordEnd, findWordsEnd, findCredentialsEnd, findCookies };
}

/** @param pattern sticky. */
function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

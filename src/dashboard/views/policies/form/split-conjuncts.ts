/** Texts in quotes, numbers, names and operators of CEL. */
const TOKEN = /\s*("(?:[^"\\\n]|\\.)*"|'[^'"\\\n]*'|\d+(?:\.\d+)?|[A-Za-z_]\w*|&&|\|\||[=!<>]=|\S)/y;

type Token = { text: string; start: number };

/** The tokens of a condition. A quote that is not closed is a token of its own. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [whole, token = ""] = found;
    tokens.push({ text: token, start: found.index + whole.length - token.length });
  }
  return tokens;
}

const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);
/** What binds less than `&&`. */
const WEAKER = new Set(["||", "?"]);

/** The parts of a condition that must all hold: operands of `&&` in no parentheses. Where it can't be said, all of it. */
export function splitConjuncts(text: string): string[] {
  const whole = text.trim();
  if (whole === "") return [];
  const tokens = tokenize(whole);
  if (tokens.some((token, place) => isUnreadable(token, tokens[place - 1]))) return [whole];
  const parts: string[] = [];
  let [depth, begin] = [0, 0];
  for (const { text: token, start } of tokens) {
    if (OPENING.has(token)) depth++;
    else if (CLOSING.has(token)) depth--;
    if (depth < 0) return [whole];
    if (depth > 0) continue;
    if (WEAKER.has(token)) return [stripParentheses(whole)];
    if (token !== "&&") continue;
    parts.push(whole.slice(begin, start).trim());
    begin = start + token.length;
  }
  return [...parts, whole.slice(begin).trim()].map(stripParentheses);
}

/** Quotes that are not closed, other kinds of quotes, and comments: they could hide operators. */
function isUnreadable({ text, start }: Token, before: Token | undefined): boolean {
  if (text === '"' || text === "'") return true;
  if (before === undefined || before.start + before.text.length !== start) return false;
  const isQuoted = /^["']/.test(text);
  return (isQuoted && /^["'\w]/.test(before.text)) || (text === "/" && before.text === "/");
}

/** Without parentheses around all of it. */
function stripParentheses(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (const { text: token, start } of tokenize(text)) {
    if (OPENING.has(token)) depth++;
    else if (CLOSING.has(token)) depth--;
    if (depth === 0) return start === text.length - 1 ? text.slice(1, -1).trim() : text;
  }
  return text;
}

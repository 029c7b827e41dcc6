/** Why a JSON text could be understood in two ways, and where: a path such as `request.action.name`. */
export type StrictJsonProblem = { path: string; message: string };

/** The most levels of lists and objects, and the most of them and their elements and members together. */
export type StrictJsonLimits = { maxDepth: number; maxValues: number };

const MOST_DIGITS = 17;

/**
 * Parses JSON that must mean the same to every reader: without duplicate member names, whole numbers beyond
 * 2^53 - 1, and numbers of more than 17 digits, which other readers would understand differently. Takes
 * linear time.
 *
 * @returns the value, the first such problem, or null if the text is not JSON.
 * @see https://www.rfc-editor.org/rfc/rfc7493 I-JSON
 */
export function parseStrictJson(
  text: string,
  limits: StrictJsonLimits,
): { value: unknown } | { problem: StrictJsonProblem } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const problem = findAmbiguity(text, limits);
  return problem === null ? { value } : { problem };
}

/** A list with its position, or an object with the names of its members. */
type Container = { names: Set<string> | null; name: string; index: number };

/** Strings, numbers, and the characters that open, divide and close containers. The text is JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[[\]{},:]/g;

function findAmbiguity(text: string, { maxDepth, maxValues }: StrictJsonLimits): StrictJsonProblem | null {
  const open: Container[] = [];
  let isName = false;
  let values = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    const message =
      isName && token.startsWith('"') ? addName(open, token) : findProblem(open, token, maxDepth);
    if (message !== null) return { path: formatPath(open), message };
    if (token === "," || token === "{" || token === "[") values++;
    if (values > maxValues) return { path: "", message: `must have at most ${maxValues} values` };
    isName = token === "{" || (token === "," && open.at(-1)?.names !== null);
  }
  return null;
}

/** Follows a token that is not a member's name. */
function findProblem(open: Container[], token: string, maxDepth: number): string | null {
  switch (token[0]) {
    case "{":
    case "[":
      open.push({ names: token === "{" ? new Set() : null, name: "", index: 0 });
      return open.length > maxDepth ? `must be nested at most ${maxDepth} levels deep` : null;
    case "}":
    case "]":
      open.pop();
      return null;
    case ",":
      countElement(open);
      return null;
    case ":":
    case '"':
      return null;
    default:
      return findNumberProblem(token);
  }
}

function countElement(open: Container[]): void {
  const container = open.at(-1);
  if (container !== undefined) container.index++;
}

function addName(open: readonly Container[], token: string): string | null {
  const container = open.at(-1);
  if (container === undefined) return null;
  // A string of JSON that was parsed.
  container.name = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
  const isKnown = container.names?.has(container.name) === true;
  container.names?.add(container.name);
  return isKnown ? "is given twice" : null;
}

function findNumberProblem(token: string): string | null {
  const number = Number(token);
  if (!Number.isFinite(number)) return "must not be beyond 1.8e308";
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    return "must be from -9007199254740991 to 9007199254740991. Send larger numbers as texts";
  }
  const [mantissa = ""] = token.split(/[eE]/);
  const digits = mantissa.replace(/^-?[0.]*/, "").replace(".", "").length;
  return digits > MOST_DIGITS ? `must have at most ${MOST_DIGITS} digits. Send it as a text` : null;
}

const PATH_LENGTH = 200;

function formatPath(open: readonly Container[]): string {
  const path = open.map(({ names, name, index }) => (names === null ? String(index) : name)).join(".");
  return path.length > PATH_LENGTH ? `${path.slice(0, PATH_LENGTH)}…` : path;
}

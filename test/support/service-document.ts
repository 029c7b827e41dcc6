/** A range of integers. `default` is null if the document gives none. */
export type Range = { min: number; max: number; default: number | null };

/** A list endpoint of the service document. */
export type ListRow = {
  method: string;
  path: string;
  /** The key named after the resource. */
  key: string;
  parameters: Record<string, Range>;
  responseKeys: string[];
};

// The rows are the document's, word for word, so that our numbers are compared with it and not with our code.
const TOKEN_ENDPOINTS = `
| POST | /api/v1/agent_tokens | workspace API key | Mint an access token valid 2,592,000 seconds | a token credential |
| POST | /api/v1/socket_tokens | agent credential | Mint a socket token valid 600 seconds for WebSocket authentication | a token credential |`;

const LIST_ENDPOINTS = `
| GET | /api/v1/messages | limit (integer, 1-100, default 50); offset (integer, 0-100000) | messages, count |
| GET | /api/v1/tasks | limit (integer, 0-100, default 50); offset (integer, 0-10000) | tasks, count, pagination |
| GET | /api/v1/operator/eval_runs | limit (integer, 0-100, default 50); offset (integer, 0-10000) | eval_runs, pagination |
| GET | /api/v1/operator/agent_commands | limit (integer, 1-100, default 25); no offset parameter is listed | agent_commands |
| GET | /api/v1/operator/robots | none listed; returns the full result set | robots |
| GET | /api/v1/operator/missions | none listed; returns the full result set | missions |`;

const LIMITS = `
| messages limit | 1-100, default 50 |
| messages offset | 0-100000 |
| tasks limit | 0-100, default 50 |
| tasks offset | 0-10000 |
| operator eval_runs limit | 0-100, default 50 |
| operator eval_runs offset | 0-10000 |
| operator agent_commands limit | 1-100, default 25 |`;

const LIFETIMES = `
| Access token lifetime | 2,592,000 seconds |
| Socket token lifetime | 600 seconds |`;

/** The list endpoints. */
export const LIST_ROWS: ListRow[] = parseRows(LIST_ENDPOINTS).map(([method, path, parameters, keys]) => ({
  method: cell(method),
  path: cell(path),
  key: cell(keys).split(", ")[0] ?? "",
  parameters: parseParameters(cell(parameters)),
  responseKeys: cell(keys).split(", "),
}));

/** The limits of lists. `path` is the endpoint of a row. */
export const LIMIT_ROWS = parseRows(LIMITS).map(([name, value]) => {
  const words = cell(name).split(" ");
  const range = /^(\d+)-(\d+)(?:, default (\d+))?$/.exec(cell(value));
  return {
    row: cell(name),
    path: `/api/v1/${words.slice(0, -1).join("/")}`,
    parameter: words.at(-1) ?? "",
    range: parseRange(range?.slice(1) ?? []),
  };
});

/** The token endpoints, with the lifetime in their purpose and in the table of limits. */
export const TOKEN_ROWS = parseRows(TOKEN_ENDPOINTS).map(([method, path, auth, purpose], index) => ({
  method: cell(method),
  path: cell(path),
  auth: cell(auth),
  lifetimes: [secondsIn(cell(purpose)), secondsIn(cell(parseRows(LIFETIMES)[index]?.[1]))],
}));

function parseRows(table: string): string[][] {
  const lines = table.trim().split("\n");
  return lines.map((line) =>
    line
      .split("|")
      .map((text) => text.trim())
      .slice(1, -1),
  );
}

function cell(text: string | undefined): string {
  if (text === undefined || text === "") throw new Error("a row of the document lacks a cell");
  return text;
}

function parseParameters(text: string): Record<string, Range> {
  const found = text.matchAll(/(\w+) \(integer, (\d+)-(\d+)(?:, default (\d+))?\)/g);
  return Object.fromEntries(Array.from(found, ([, name, ...range]) => [name, parseRange(range)]));
}

function parseRange([min, max, fallback]: (string | undefined)[]): Range {
  return {
    min: Number(cell(min)),
    max: Number(cell(max)),
    default: fallback === undefined ? null : Number(fallback),
  };
}

function secondsIn(text: string): number {
  return Number(/([\d,]+) seconds/.exec(text)?.[1]?.replaceAll(",", ""));
}

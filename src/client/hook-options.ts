import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

/** Where the hook asks, and how long it may take. */
export type HookOptions = {
  /** Of the server, without a trailing slash. */
  url: string;
  token: string;
  /** The timeout of the hook in the coding agent's settings; null if the user gave none. */
  timeoutSeconds: number | null;
  /** What the server answers if nobody decides in time. */
  onTimeout: string | null;
  isDryRun: boolean;
};

export const USAGE = `Usage: agent-ops-hook [--timeout SECONDS] [--on-timeout deny|ask] [--url URL] [--dry-run]

Asks Agent Ops whether a coding agent may run a tool. Reads the hook's JSON on stdin and prints the decision.

  --timeout SECONDS   the timeout of this hook in the coding agent's settings, 5 to 86400
  --on-timeout deny   or ask: what happens if people don't decide in time
  --url URL           the server, else AGENT_OPS_URL
  --dry-run           print what would be sent

The token is AGENT_OPS_TOKEN, or the content of the file AGENT_OPS_TOKEN_FILE.
Exits with 0 and the decision's JSON, or with 2 if the tool is denied or anything goes wrong.
`;

const OPTIONS = {
  timeout: { type: "string" },
  "on-timeout": { type: "string" },
  url: { type: "string" },
  "dry-run": { type: "boolean" },
  help: { type: "boolean" },
} as const;

/**
 * Reads the hook's arguments and environment.
 *
 * @returns null for --help.
 * @throws {Error} for what is missing or invalid.
 */
export async function readHookOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<HookOptions | null> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help === true) return null;
  const { timeout, "on-timeout": onTimeout = null, "dry-run": isDryRun = false } = values;
  const url = values.url ?? env["AGENT_OPS_URL"] ?? "";
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Error("set AGENT_OPS_URL, or --url, to the http or https URL of the server");
  }
  return {
    url: url.replace(/(?<!\/)\/+$/, ""),
    token: await readToken(env),
    timeoutSeconds: timeout === undefined ? null : parseTimeout(timeout),
    onTimeout,
    isDryRun,
  };
}

function parseTimeout(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 5 && seconds <= 86_400) return seconds;
  throw new Error("--timeout must be a whole number of seconds, 5 to 86400");
}

async function readToken(env: Record<string, string | undefined>): Promise<string> {
  const { AGENT_OPS_TOKEN: token = "", AGENT_OPS_TOKEN_FILE: file = "" } = env;
  const text = token === "" && file !== "" ? (await readFile(file, "utf8")).trim() : token;
  // Each exchange makes another access token, and a hook runs for each call of a tool.
  if (text.startsWith("eyJ")) {
    throw new Error("exchange the issuer's token first: agent-ops token exchange prints an access token");
  }
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error("set AGENT_OPS_TOKEN, or AGENT_OPS_TOKEN_FILE, to an access token");
}

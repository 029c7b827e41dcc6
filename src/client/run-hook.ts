import type { Readable } from "node:stream";
import { buildHookCall } from "./hook-call.ts";
import { type HookOptions, USAGE, readHookOptions } from "./hook-options.ts";
import { type PostAnswer, postJson } from "./post-json.ts";

/** How the hook ends. */
export type HookEnd = { exitCode: 0 | 2; stdout: string; stderr: string };

/** The hook's surroundings. */
export type HookProcess = { env: Record<string, string | undefined>; stdin: Readable };

/** Without a timeout, the server decides within 20 seconds. Some coding agents end hooks after 30. */
const DEFAULT_SECONDS = 26;

/**
 * Asks Agent Ops about one use of a tool by a coding agent.
 *
 * @returns the decision's JSON with 0 only if the server allowed the tool or leaves it to the user; else 2 with
 *   the reason.
 * @throws {Error} for whatever else happens, which must refuse the tool too.
 */
export async function runHook(args: readonly string[], { env, stdin }: HookProcess): Promise<HookEnd> {
  const options = await readHookOptions(args, env);
  if (options === null) return { exitCode: 2, stdout: USAGE, stderr: "" };
  // Before the coding agent ends the hook, which would let the tool run.
  const timeoutMs = ((options.timeoutSeconds ?? DEFAULT_SECONDS) - 1) * 1000;
  const signal = AbortSignal.timeout(timeoutMs);
  const untilMs = performance.now() + timeoutMs;
  const { path, body, accepted } = buildHookCall(await readAll(stdin, signal));
  const url = buildUrl(options, path);
  if (options.isDryRun) return { exitCode: 2, stdout: describe(url, body), stderr: "" };
  const headers = { authorization: `Bearer ${options.token}` };
  const leftMs = Math.max(1, Math.floor(untilMs - performance.now()));
  return toEnd(await postJson(url, { headers, body, timeoutMs: leftMs }), accepted);
}

const STDIN_LENGTH = 8_388_608;

async function readAll(stdin: Readable, signal: AbortSignal): Promise<string> {
  const timedOut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stdin did not end in time")), { once: true });
  });
  return Promise.race([readText(stdin), timedOut]);
}

async function readText(stdin: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > STDIN_LENGTH) throw new Error("stdin is too long");
  }
  return text;
}

function buildUrl({ url, timeoutSeconds, onTimeout }: HookOptions, path: string): URL {
  const built = new URL(url + path);
  if (timeoutSeconds !== null) built.searchParams.set("timeout", String(timeoutSeconds));
  if (onTimeout !== null) built.searchParams.set("on_timeout", onTimeout);
  return built;
}

function describe(url: URL, body: string): string {
  const headers = { authorization: "Bearer …", "content-type": "application/json" };
  return `${JSON.stringify({ method: "POST", url: url.href, headers, body: JSON.parse(body) as unknown })}\n`;
}

/** Only our server sends this header, so that nobody else's empty object allows anything. */
const DECISION = "agent-ops-decision";

function toEnd({ status, headers, text }: PostAnswer, accepted: readonly string[]): HookEnd {
  const decision = headers[DECISION];
  if (status !== 200 || decision === undefined) {
    throw new Error(`the server answered with ${status} and no decision`);
  }
  const reason = findReason(text);
  if (decision === "deny") return { exitCode: 2, stdout: "", stderr: `${reason ?? "Agent Ops: denied"}\n` };
  if (accepted.includes(String(decision))) return { exitCode: 0, stdout: text, stderr: "" };
  throw new Error("the server's decision is unknown");
}

/** @throws {Error} if the text is not a JSON object. */
function findReason(text: string): string | null {
  const answer = JSON.parse(text) as { hookSpecificOutput?: { permissionDecisionReason?: unknown } } | null;
  if (typeof answer !== "object" || answer === null)
    throw new Error("the server's answer is not a JSON object");
  const reason = answer.hookSpecificOutput?.permissionDecisionReason;
  return typeof reason === "string" ? reason : null;
}

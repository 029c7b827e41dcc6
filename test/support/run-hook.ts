import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const PROGRAM = path.resolve(import.meta.dirname, "../../src/client/dist/agent-ops-hook.js");

/** Runs the hook as a coding agent does, with what it writes to stdin. */
export async function runHook(
  stdin: object,
  { url, token, timeoutSeconds = 5 }: { url: string; token: string; timeoutSeconds?: number },
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const env = { AGENT_OPS_URL: url, AGENT_OPS_TOKEN: token };
  const child = spawn(process.execPath, [PROGRAM, "--timeout", String(timeoutSeconds)], { env });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.end(JSON.stringify(stdin));
  const [exitCode] = await once(child, "close");
  return { exitCode: exitCode as number | null, ...output };
}

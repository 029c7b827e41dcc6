import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const PROGRAM = path.resolve(import.meta.dirname, "../../src/client/dist/agent-ops-hook.js");

const CALL = JSON.stringify({
  ...{ hook_event_name: "PreToolUse", session_id: "s-1", cwd: "/src", permission_mode: "default" },
  ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t-1" },
});

type Seen = { url: string | undefined; authorization: string | undefined; body: string };
type Answer = (response: ServerResponse) => void;

let url: string;
let answer: Answer;
let seen: Seen[];
const server = createServer((request, response) => void note(request, response));
const running = new Set<ChildProcess>();

async function note(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  seen.push({ url: request.url, authorization: request.headers.authorization, body });
  server.emit("seen");
  answer(response);
}

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a TCP port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Run = { exitCode: number | null; stdout: string; stderr: string };

type HookInput = { args?: string[]; env?: Record<string, string>; stdin?: string | null };

function startHook({ args = [], env = {}, stdin = CALL }: HookInput): ChildProcess {
  seen = [];
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { AGENT_OPS_URL: url, AGENT_OPS_TOKEN: "agt_secret", ...env },
  });
  running.add(child);
  if (stdin !== null) child.stdin?.end(stdin);
  return child;
}

async function waitForHook(child: ChildProcess): Promise<Run> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const [exitCode] = await once(child, "close");
  running.delete(child);
  return { exitCode: exitCode as number | null, ...output };
}

const hook = (input: HookInput = {}) => waitForHook(startHook(input));

/** Answers with a decision, as our server does. */
function decide(decision: string, body: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "agent-ops-decision": decision });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

function say(permissionDecision: string, permissionDecisionReason: string) {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
  };
}

describe("agent-ops-hook", () => {
  it.each([
    ["allow", say("allow", "Agent Ops: tools (1)")],
    ["allow", {}],
    ["ask", say("ask", "Agent Ops: nobody decided")],
  ])("prints a decision to %s and exits with 0", async (decision, body) => {
    answer = decide(decision, body);
    const run = await hook();
    expect(run).toEqual({ exitCode: 0, stdout: JSON.stringify(body), stderr: "" });
    expect(seen).toEqual([{ url: "/hooks/pre-tool-use", authorization: "Bearer agt_secret", body: CALL }]);
  });

  it("exits with 2 for a denial, with its reason on stderr only", async () => {
    answer = decide("deny", say("deny", "Agent Ops: no shell (1)"));
    expect(await hook()).toEqual({ exitCode: 2, stdout: "", stderr: "Agent Ops: no shell (1)\n" });
  });

  it("tells the server its timeout and what happens then", async () => {
    answer = decide("allow", {});
    await hook({
      args: ["--timeout", "120", "--on-timeout=ask", "--url", `${url}/`],
      env: { AGENT_OPS_URL: "" },
    });
    expect(seen[0]?.url).toBe("/hooks/pre-tool-use?timeout=120&on_timeout=ask");
  });

  it("reads the token from a file", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-hook-"));
    try {
      const file = path.join(folder, "token");
      writeFileSync(file, "agt_from_file\n");
      answer = decide("allow", {});
      await hook({ env: { AGENT_OPS_TOKEN: "", AGENT_OPS_TOKEN_FILE: file } });
      expect(seen[0]?.authorization).toBe("Bearer agt_from_file");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("reports how a tool ended, without its output", async () => {
    answer = decide("none", {});
    const ended = { session_id: "s-1", tool_use_id: "t-1", tool_input: { a: 1 }, tool_response: "secret" };
    const run = await hook({
      stdin: JSON.stringify({ hook_event_name: "PostToolUseFailure", error: "no", ...ended }),
    });
    expect(run).toEqual({ exitCode: 0, stdout: "{}", stderr: "" });
    expect(seen[0]?.url).toBe("/hooks/post-tool-use");
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
      ...{ hook_event_name: "PostToolUseFailure", session_id: "s-1", tool_use_id: "t-1", error: "no" },
    });
  });

  it.each<[name: string, Answer]>([
    ["another status", decide("allow", {}, 201)],
    ["401", decide("deny", say("deny", "x"), 401)],
    ["500", decide("allow", {}, 500)],
    ["a redirect", (response) => void response.writeHead(302, { location: "/elsewhere" }).end()],
    ["204", (response) => void response.writeHead(204).end()],
    ["an object of somebody else", (response) => void response.writeHead(200).end("{}")],
    ["broken JSON", decide("allow", '{"hook')],
    ["no JSON", decide("allow", "")],
    ["a list of nothing", decide("allow", "null")],
    ["an unknown decision", decide("perhaps", {})],
    ["no decision", decide("none", {})],
    ["a cut connection", (response) => void response.destroy()],
    [
      "half an answer",
      (response) => {
        response.writeHead(200, { "agent-ops-decision": "allow", "content-length": "100" });
        response.write("{}", () => response.destroy());
      },
    ],
  ])("exits with 2 for %s", async (...[, answered]) => {
    answer = answered;
    const { exitCode, stdout, stderr } = await hook();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^Agent Ops: .+\n$/);
  });

  it.each<[name: string, HookInput]>([
    ["no token", { env: { AGENT_OPS_TOKEN: "" } }],
    ["a token file that is not there", { env: { AGENT_OPS_TOKEN: "", AGENT_OPS_TOKEN_FILE: "/nowhere/x" } }],
    ["an issuer's token", { env: { AGENT_OPS_TOKEN: "eyJhbGciOiJSUzI1NiJ9.e30.x" } }],
    ["no URL", { env: { AGENT_OPS_URL: "" } }],
    ["a bad URL", { env: { AGENT_OPS_URL: "ops.example.com" } }],
    ["nobody at the URL", { env: { AGENT_OPS_URL: "http://127.0.0.1:1" } }],
    ["nothing on stdin", { stdin: "" }],
    ["garbage on stdin", { stdin: "garbage" }],
    ["no object on stdin", { stdin: "[]" }],
    ["another event", { stdin: JSON.stringify({ hook_event_name: "Stop" }) }],
    ["an unknown option", { args: ["--tiemout", "5"] }],
    ["a bad timeout", { args: ["--timeout", "2m"] }],
    ["an argument too many", { args: ["x"] }],
  ])("exits with 2 for %s, without asking", async (...[, input]) => {
    answer = decide("allow", {});
    const { exitCode, stdout, stderr } = await hook(input);
    expect({ exitCode, stdout, asked: seen.length }).toEqual({ exitCode: 2, stdout: "", asked: 0 });
    expect(stderr).toMatch(/^Agent Ops: .+\n$/);
    expect(stderr).not.toContain("agt_secret");
  });

  it("exits with 2 before its timeout if the server or stdin hangs", async () => {
    answer = () => {};
    const runs = await Promise.all([
      hook({ args: ["--timeout", "5"] }),
      hook({ args: ["--timeout", "5"], stdin: null }),
    ]);
    for (const { exitCode, stdout } of runs)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  }, 30_000);

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("exits with 2 after %s", async (signal) => {
    answer = () => {};
    const child = startHook({});
    const ended = waitForHook(child);
    await once(server, "seen");
    child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it("exits with 2 if nobody reads its decision", async () => {
    answer = decide("allow", { x: "x".repeat(1_000_000) });
    const child = startHook({});
    child.stdout?.destroy();
    expect(await waitForHook(child)).toMatchObject({ exitCode: 2 });
  });

  it("shows what it would send, without the token", async () => {
    answer = decide("allow", {});
    const { exitCode, stdout } = await hook({ args: ["--dry-run", "--timeout", "60"] });
    expect({ exitCode, asked: seen.length }).toEqual({ exitCode: 2, asked: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      url: `${url}/hooks/pre-tool-use?timeout=60`,
      body: JSON.parse(CALL),
    });
    expect(stdout).not.toContain("agt_secret");
  });

  it("has a help, which allows nothing", async () => {
    expect(await hook({ args: ["--help"] })).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining("--on-timeout"),
    });
  });
});

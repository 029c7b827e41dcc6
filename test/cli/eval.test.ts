import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { promoteEvalBaseline } from "../../src/domain/eval-runs/promote-eval-baseline.ts";
import { userCtx } from "../support/callers.ts";
import { startFlakyProxy } from "../support/flaky-proxy.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { type CliRun, waitForExit, runCli, spawnCli, startCli } from "./run-cli.ts";

const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-eval-"));

let world: TestWorld;
let environment: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  environment = { AGENT_OPS_URL: world.server.url, AGENT_OPS_TOKEN: world.apiKey };
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.server.close();
});

let made = 0;

/** A file with one result per line. */
function writeResultsFile(lines: readonly (object | string)[]): string {
  const file = path.join(folder, `${made++}.jsonl`);
  writeFileSync(
    file,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  return file;
}

function results(statuses: Record<string, string>): object[] {
  return Object.entries(statuses).map(([item_key, status]) => ({ item_key, status }));
}

function args(file: string, ...options: string[]): string[] {
  return ["eval", "--suite", "support", "--name", "Nightly", ...options, file];
}

type Printed = {
  eval_run: { id: string; source: unknown; result_counts: unknown; status: string };
  comparison: unknown;
};

async function run(file: string, ...options: string[]): Promise<CliRun & { json: Printed }> {
  const done = await runCli([...args(file, ...options), "--json"], environment);
  return { ...done, json: JSON.parse(done.stdout) };
}

async function runs(): Promise<{ name: string; status: string; error: unknown }[]> {
  return (await world.agent.get("/api/v1/operator/eval_runs?limit=100")).body.eval_runs;
}

describe("agent-ops eval", () => {
  it("exits with the gate's verdict", async () => {
    const file = writeResultsFile(results({ a: "passed", b: "passed", c: "failed" }));
    const [passed, failed, none, misused] = await Promise.all([
      runCli(args(file, "--min-pass-rate", "0.6"), environment),
      spawnCli(args(file, "--min-pass-rate", "0.95", "--json"), environment),
      spawnCli(args("-"), environment, `${JSON.stringify({ item_key: "a", status: "failed" })}\n`),
      runCli(args(file, "--min-pass-rate", "high"), environment),
    ]);
    expect([passed.exitCode, failed.exitCode, none.exitCode, misused.exitCode]).toEqual([0, 1, 0, 2]);
    expect(passed.stdout).toMatch(
      /Results {3}3: 2 passed, 1 failed, 0 errored, 0 skipped\n.*Verdict {3}passed\n/,
    );
    expect(JSON.parse(failed.stdout)).toMatchObject({
      eval_run: { verdict: "failed", verdict_reasons: ["pass_rate 0.6666 < 0.95"] },
      comparison: null,
    });
    expect(none.stdout).toContain("Verdict   none");
    expect(misused.stderr).toContain("It must be a number.");
  }, 60_000);

  it("compares with the suite's baseline", async () => {
    const suite = ["--suite", `suite-${crypto.randomUUID()}`];
    const before = writeResultsFile([
      { item_key: "a", status: "passed", scores: [{ name: "exact_match", value: 1 }] },
      { item_key: "b", status: "passed" },
    ]);
    const first = await run(before, ...suite, "--baseline", "latest", "--max-regressions", "0");
    const unchecked = "max_regressions was not checked: the run has no baseline";
    expect(first).toMatchObject({
      exitCode: 0,
      json: { comparison: null, eval_run: { verdict: "passed", verdict_reasons: [unchecked] } },
    });
    const shown = await runCli(args(before, ...suite, "--max-regressions", "0"), environment);
    expect(shown.stdout).toMatch(
      /Verdict {3}passed\n +max_regressions was not checked: the run has no baseline\n/,
    );
    const id = first.json.eval_run.id;
    await promoteEvalBaseline(userCtx(world.server, world.workspaceId, "operator"), { id });
    const after = writeResultsFile([
      { item_key: "a", status: "failed", scores: [{ name: "exact_match", value: 0.5 }] },
      { item_key: "b", status: "passed" },
    ]);
    const gate = ["--max-regressions", "0", "--min-score", "exact_match=0.8", "--min-score", "tone=1"];
    const second = await run(after, ...suite, "--baseline", "latest", ...gate);
    expect(second).toMatchObject({
      exitCode: 1,
      json: {
        eval_run: {
          baseline_run_id: id,
          verdict_reasons: ["1 regression > 0", "score exact_match 0.5 < 0.8", "score tone is missing"],
        },
        comparison: { counts: { regressions: 1 }, regressions: [{ item_key: "a" }] },
      },
    });
    const { stdout } = await runCli(args(after, ...suite, "--baseline", id), environment);
    expect(stdout).toContain(`${id}: regressions 1, improvements 0, added 0, removed 0`);
    expect(stdout).toContain("regressed: a\n");
    expect(stdout).toContain("scores: exact_match -0.5\n");
  });

  it("exits with 2 if a required baseline is missing, and keeps the run", async () => {
    const suite = ["--suite", `suite-${crypto.randomUUID()}`];
    const file = writeResultsFile(results({ a: "passed" }));
    const required = ["--max-regressions", "0", "--require-baseline"];
    const first = await runCli(args(file, ...suite, ...required), environment);
    expect(first).toMatchObject({ exitCode: 2, stdout: "" });
    const [, id = ""] =
      /has no baseline to compare with. .* the completed run (\S+) to be/.exec(first.stderr) ?? [];
    await promoteEvalBaseline(userCtx(world.server, world.workspaceId, "operator"), { id });
    const second = await run(file, ...suite, ...required);
    expect(second).toMatchObject({
      exitCode: 0,
      json: { eval_run: { verdict: "passed", verdict_reasons: [], baseline_run_id: id } },
    });
  });

  it("stores the run's source", async () => {
    const source = ["--commit", "75a94297", "--branch", "main", "--ci-url", "https://ci.example.com/1"];
    const { json } = await run(writeResultsFile(results({ a: "passed" })), ...source);
    expect(json.eval_run.source).toEqual({
      ...{ commit: "75a94297", branch: "main", ci_url: "https://ci.example.com/1" },
    });
  });

  it("uploads files of any length in batches", async () => {
    const many = Array.from({ length: 1203 }, (_, n) => ({ item_key: `q-${n}`, status: "passed" }));
    const large = Array.from({ length: 5 }, (_, n) => ({
      ...{
        item_key: `large-${n}`,
        status: "passed",
        input: "ä".repeat(120_000),
        output: "x".repeat(200_000),
      },
    }));
    const { exitCode, json } = await run(writeResultsFile(["\uFEFF", ...many, "", ...large, "  \r"]));
    expect(exitCode).toBe(0);
    // 1203 results in 3 batches, then two large ones at a time.
    expect(json.eval_run).toMatchObject({
      result_counts: { total: 1208, passed: 1208 },
      status: "completed",
    });
  });

  it("creates one run and loses nothing if responses are lost", async () => {
    const proxy = await startFlakyProxy(world.server.url);
    const name = `flaky-${crypto.randomUUID()}`;
    const many = Array.from({ length: 900 }, (_, n) => ({ item_key: `q-${n}`, status: "passed" }));
    const flaky = { ...environment, AGENT_OPS_URL: `${proxy.url}/` };
    const { exitCode } = await runCli(args(writeResultsFile(many), "--name", name), flaky);
    await proxy.close();
    expect(exitCode).toBe(0);
    expect(proxy.dropped()).toBe(4);
    const all = (await runs()).filter((one) => one.name === name);
    expect(all).toMatchObject([{ status: "completed", result_counts: { total: 900, passed: 900 } }]);
  });

  it.each<[string, (object | string)[], string]>([
    ["is not JSON", [{ item_key: "a", status: "passed" }, "", "{"], "line 3 is not a JSON object"],
    ["is a list", ["[]"], "line 1 is not a JSON object"],
    [
      "repeats an item",
      results({ a: "passed" }).concat(results({ a: "failed" })),
      "line 2: item_key is also on line 1",
    ],
    ["has no status", [{ item_key: "a", status: "passed" }, "", { item_key: "b" }], "line 3: status "],
    [
      "has an invalid score",
      [{ item_key: "a", status: "passed", scores: [{ name: "s" }] }],
      "line 1: scores.0.value ",
    ],
    ["is too long", [`{"item_key":"${"x".repeat(1_000_001)}"}`], "line 1 is longer than 1000000 bytes"],
    ["is missing", [], "the file has no results"],
  ])("exits with 2 for a line that %s, and names the line", async (_what, lines, message) => {
    const name = `bad-${crypto.randomUUID()}`;
    const { exitCode, stdout, stderr } = await runCli(
      args(writeResultsFile(lines), "--name", name),
      environment,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`agent-ops: ${message}`);
    for (const one of (await runs()).filter((made) => made.name === name)) {
      expect(one).toMatchObject({ status: "failed", error: { code: "upload_failed" } });
    }
  });

  it("fails the run if a later line is invalid", async () => {
    const name = `late-${crypto.randomUUID()}`;
    const many = Array.from({ length: 600 }, (_, n) => ({ item_key: `q-${n}`, status: "passed" }));
    const { exitCode, stderr } = await runCli(
      args(writeResultsFile([...many, "{}"]), "--name", name),
      environment,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("line 601: item_key ");
    expect((await runs()).filter((one) => one.name === name)).toMatchObject([
      { status: "failed", error: { code: "upload_failed", message: expect.stringContaining("line 601") } },
    ]);
  });

  it("exits with 2 if the verdict is unknown", async () => {
    const file = writeResultsFile(results({ a: "passed" }));
    const problems: [Record<string, string>, string[], string][] = [
      [{}, args(file), "AGENT_OPS_URL must be the http or https URL of the server; AGENT_OPS_TOKEN must be"],
      [{ ...environment, AGENT_OPS_TOKEN: "agk_none" }, args(file), "token"],
      [environment, args(path.join(folder, "none.jsonl")), "can't be read (ENOENT)"],
      [environment, args(folder), ""],
      [environment, args(file, "--baseline", crypto.randomUUID()), "is not a completed run of this suite"],
      [environment, args(file, "--min-pass-rate", "95"), "min_pass_rate"],
      [environment, args(file, "--min-score", "exact"), "It must be name=number."],
      [environment, args(file, "--timeout", "0"), "at most 3600"],
      [
        { ...environment, AGENT_OPS_URL: "http://127.0.0.1:1" },
        args(file, "--timeout", "0.5"),
        "can't be reached",
      ],
    ];
    for (const [variables, given, message] of problems) {
      const { exitCode, stdout, stderr } = await runCli(given, variables);
      expect({ exitCode, stdout }, message).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toContain(message);
      expect(stderr.split("\n")).toHaveLength(2);
    }
  });

  it("requires only the scope to write runs", async () => {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { scopes: ["eval_runs:write"] });
    const narrow = { ...environment, AGENT_OPS_TOKEN: body.token };
    const file = writeResultsFile(results({ a: "passed" }));
    const { json } = await run(file);
    const { exitCode, stdout } = await runCli(args(file, "--baseline", json.eval_run.id), narrow);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("Baseline");
  });

  it("fails the run when interrupted", async () => {
    const name = `interrupted-${crypto.randomUUID()}`;
    const child = startCli(args("-", "--name", name), environment);
    const many = Array.from({ length: 501 }, (_, n) => ({ item_key: `q-${n}`, status: "passed" }));
    child.stdin?.write(`${many.map((one) => JSON.stringify(one)).join("\n")}\n`);
    const of = async () => (await runs()).filter((one) => one.name === name);
    await vi.waitFor(async () => expect(await of()).toMatchObject([{ status: "running" }]), {
      ...{ timeout: 45_000, interval: 250 },
    });
    child.kill("SIGINT");
    expect(await waitForExit(child)).toBe(130);
    child.stdin?.destroy();
    expect(await of()).toMatchObject([{ status: "failed" }]);
  }, 60_000);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAuditKey } from "../support/audit-checkpoints.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runCli, spawnCli } from "./run-cli.ts";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "agent-ops-audit-"));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function createWorkspace(): Promise<string> {
  const args = ["workspace", "create", "--name", "Acme", "--json"];
  return JSON.parse((await runCli(args, { DATABASE_URL: database.url })).stdout).workspace_id;
}

function verify(workspace: string, ...more: string[]) {
  return runCli(["audit", "verify", "--workspace", workspace, ...more], { DATABASE_URL: database.url });
}

describe("agent-ops audit verify", () => {
  it("prints the number of valid rows", async () => {
    const workspace = await createWorkspace();
    const json = await verify(workspace, "--json");
    expect(json).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ workspace_id: workspace, intact: true, rows: 5, deleted: null, first_bad: null, key: null },
      checkpoints: { count: 0, newest: null, compared: [], first_bad: null },
    });
    const text = await verify(workspace);
    expect(text).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("is intact: 5 rows.\nThe log is not signed: without AUDIT_KEY"),
    });
  });

  it("names the first invalid row, and exits with 1", async () => {
    const workspace = await createWorkspace();
    const [row] = await database.query<{ id: string }>(
      "UPDATE audit_event SET action = 'x' WHERE workspace_id = $1 AND seq = 2 RETURNING id",
      [workspace],
    );
    const json = await verify(workspace, "--json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ workspace_id: workspace, intact: false, rows: 1 },
      first_bad: { seq: 2, id: row?.id, problem: "changed" },
    });
    const text = await verify(workspace);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain(`Row 2 (${row?.id})`);
  });

  it("names a missing row, and exits with 1 as a process too", async () => {
    const workspace = await createWorkspace();
    await database.query("DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 3", [workspace]);
    const args = ["audit", "verify", "--workspace", workspace];
    const { exitCode, stdout } = await spawnCli(args, { DATABASE_URL: database.url });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Row 3 of the audit log is missing.");
  });

  it("rejects an unknown workspace", async () => {
    const unknown = await verify(crypto.randomUUID(), "--json");
    expect(unknown.exitCode).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: "not_found" } });
    expect(JSON.parse((await verify("x", "--json")).stdout)).toMatchObject({ error: { field: "workspace" } });
    const missing = await runCli(["audit", "verify"], { DATABASE_URL: database.url });
    expect(missing.exitCode).toBe(2);
  });
});

describe("agent-ops audit export", () => {
  const AUDIT_KEY = newAuditKey();

  /** Runs a command on another machine with its own data folder. */
  function on(machine: string, ...args: string[]) {
    const DATA_DIR = path.join(folder, machine);
    return runCli(["audit", ...args], { DATABASE_URL: database.url, AUDIT_KEY, DATA_DIR });
  }

  async function exportTo(file: string, workspace: string): Promise<string> {
    const { stdout } = await on(workspace, "export", "--workspace", workspace);
    const kept = path.join(folder, file);
    await writeFile(kept, stdout);
    return kept;
  }

  async function cutOff(workspace: string): Promise<void> {
    await database.query("DELETE FROM audit_event WHERE workspace_id = $1 AND seq > 2", [workspace]);
    await database.query(
      `UPDATE workspace_head SET audit_seq = 2, audit_hash =
         (SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = 2) WHERE workspace_id = $1`,
      [workspace],
    );
    await database.query("DELETE FROM audit_checkpoint WHERE workspace_id = $1", [workspace]);
  }

  it("writes one row or checkpoint per line, signed up to now", async () => {
    const workspace = await createWorkspace();
    const { exitCode, stdout, stderr } = await on(workspace, "export", "--workspace", workspace, "--json");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type, seq }) => [type, seq])).toEqual([
      ...[1, 2, 3, 4, 5].map((seq) => ["audit_event", seq]),
      ["audit_checkpoint", 5],
    ]);
    expect(lines[5]).toMatchObject({ workspace_id: workspace, number: 1, hash: lines[4].hash });
    expect(
      JSON.parse((await on(workspace, "verify", "--workspace", workspace, "--json")).stdout),
    ).toMatchObject({
      ...{ intact: true, key: lines[5].key },
      checkpoints: { count: 1, newest: lines[5], compared: ["data_dir"], first_bad: null },
    });
  });

  it("lets a log truncated together with its checkpoints be detected", async () => {
    const workspace = await createWorkspace();
    const kept = await exportTo("kept.jsonl", workspace);
    const compared = ["verify", "--workspace", workspace, "--checkpoints", kept];
    expect(await on("elsewhere", ...compared)).toMatchObject({
      ...{ exitCode: 0, stdout: expect.stringContaining("They match the checkpoints in the file.") },
    });
    await cutOff(workspace);
    // Neither the database nor another machine shows it.
    expect((await on("elsewhere", "verify", "--workspace", workspace)).exitCode).toBe(0);
    const found = await on("elsewhere", ...compared);
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain("Checkpoint 1 was signed for row 5 and is missing from the database");
    // The machine that signed it has stored it.
    expect(await on(workspace, "verify", "--workspace", workspace)).toMatchObject({ exitCode: 1 });
  });

  it("accepts checkpoints of another key only with --key", async () => {
    const workspace = await createWorkspace();
    await exportTo("other-key.jsonl", workspace);
    const environment = { DATABASE_URL: database.url, AUDIT_KEY: newAuditKey(), DATA_DIR: folder };
    const args = ["audit", "verify", "--workspace", workspace];
    const unknown = await runCli(args, environment);
    expect(unknown.exitCode).toBe(1);
    const [, key = ""] = /signed with the unknown key (\S+)\. /.exec(unknown.stdout) ?? [];
    expect((await runCli([...args, "--key", key], environment)).exitCode).toBe(0);
    const earlier = { ...environment, AUDIT_EARLIER_KEYS: key };
    expect((await runCli(args, earlier)).exitCode).toBe(0);
  });

  it.each([
    ["nothing", "", "has no checkpoint"],
    ["no JSON", "{}\n{", "line 1"],
    ["an unrelated line", '{"type":"audit_event"}\nnull\n', "line 2"],
    ["only rows", '{"type":"audit_event"}\n\n', "has no checkpoint"],
  ])("rejects a file of %s", async (_what, content, message) => {
    const workspace = await createWorkspace();
    const file = path.join(folder, "bad.jsonl");
    await writeFile(file, content);
    const { exitCode, stdout } = await on(
      "x",
      "verify",
      "--workspace",
      workspace,
      "--checkpoints",
      file,
      "--json",
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      field: "checkpoints",
      message: expect.stringContaining(message),
    });
  });

  it("rejects a missing file", async () => {
    const workspace = await createWorkspace();
    const { stderr, exitCode } = await on(
      "x",
      "verify",
      "--workspace",
      workspace,
      "--checkpoints",
      "/nowhere",
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ENOENT") });
  });
});

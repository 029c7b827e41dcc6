import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runCli, spawnCli } from "./run-cli.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function createWorkspace(): Promise<string> {
  const args = ["workspace", "create", "--name", "Acme", "--json"];
  return JSON.parse((await runCli(args, { DATABASE_URL: database.url })).stdout).workspace_id;
}

function verify(workspace: string, ...more: string[]) {
  return runCli(["audit", "verify", "--workspace", workspace, ...more], { DATABASE_URL: database.url });
}

describe("agent-ops audit verify", () => {
  it("tells how many rows hold", async () => {
    const workspace = await createWorkspace();
    const json = await verify(workspace, "--json");
    expect(json).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ workspace_id: workspace, intact: true, rows: 3, first_bad: null },
    });
    expect(await verify(workspace)).toMatchObject({ exitCode: 0, stdout: "The audit log holds: 3 rows.\n" });
  });

  it("names the first row that does not hold, and exits with 1", async () => {
    const workspace = await createWorkspace();
    const [row] = await database.query<{ id: string }>(
      "UPDATE audit_event SET action = 'x' WHERE workspace_id = $1 AND seq = 2 RETURNING id",
      [workspace],
    );
    const json = await verify(workspace, "--json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ workspace_id: workspace, intact: false, rows: 1 },
      first_bad: { seq: 2, id: row?.id, problem: "changed" },
    });
    const text = await verify(workspace);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain(`Row 2 (${row?.id})`);
  });

  it("names a row that is missing, and exits with 1 as a process too", async () => {
    const workspace = await createWorkspace();
    await database.query("DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 3", [workspace]);
    const args = ["audit", "verify", "--workspace", workspace];
    const { exitCode, stdout } = await spawnCli(args, { DATABASE_URL: database.url });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Row 3 of the audit log is missing.");
  });

  it("refuses what is no workspace", async () => {
    const unknown = await verify(crypto.randomUUID(), "--json");
    expect(unknown.exitCode).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: "not_found" } });
    expect(JSON.parse((await verify("x", "--json")).stdout)).toMatchObject({ error: { field: "workspace" } });
    const missing = await runCli(["audit", "verify"], { DATABASE_URL: database.url });
    expect(missing.exitCode).toBe(2);
  });
});

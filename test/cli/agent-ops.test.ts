import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { waitForExit, runCli, spawnCli, startCli } from "./run-cli.ts";

const UNKNOWN = "01890000-0000-7000-8000-000000000000";

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const args = ["workspace", "create", "--name", "Shared", "--json"];
  const { stdout } = await runCli(args, { DATABASE_URL: database.url });
  workspace = JSON.parse(stdout).workspace_id;
});
afterAll(async () => {
  await database.drop();
});

describe("agent-ops", () => {
  it("has exit codes, and only JSON on standard output", async () => {
    const environment = { DATABASE_URL: database.url };
    const [made, failed, misused] = await Promise.all([
      spawnCli(["workspace", "create", "--name", "Acme", "--json"], environment),
      spawnCli(["workspace", "suspend", "--workspace", UNKNOWN, "--json"], environment),
      spawnCli(["workspace", "create", "--json"], environment),
    ]);
    expect([made.exitCode, failed.exitCode, misused.exitCode]).toEqual([0, 1, 2]);
    expect([made.stderr, failed.stderr, misused.stderr]).toEqual(["", "", ""]);
    expect(JSON.parse(made.stdout)).toHaveProperty("workspace_id");
    expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: "not_found" } });
    expect(JSON.parse(misused.stdout)).toMatchObject({ error: { code: "wrong_usage" } });
  });

  it("reads a password from standard input, which may stay open", async () => {
    const child = startCli(userArgs("open@example.com"), { DATABASE_URL: database.url });
    child.stdin?.write("yet another password\n");
    expect(await waitForExit(child)).toBe(0);
    child.stdin?.destroy();
  });

  it("exits with 130 when interrupted", async () => {
    const child = startCli(userArgs("slow@example.com"), { DATABASE_URL: database.url });
    const connected = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agent-ops'`;
    await vi.waitFor(async () => expect(await database.query(connected)).not.toEqual([]), {
      ...{ timeout: 15_000, interval: 10 },
    });
    child.kill("SIGINT");
    expect(await waitForExit(child)).toBe(130);
  });
});

/** A user whose password is read from standard input. */
function userArgs(email: string): string[] {
  const options = ["--email", email, "--password", "-", "--role", "viewer"];
  return ["user", "create", "--workspace", workspace, ...options];
}

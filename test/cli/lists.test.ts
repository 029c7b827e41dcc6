import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runCli } from "./run-cli.ts";

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  workspace = (await answer("workspace", "create", "--name", "Acme Robots"))["workspace_id"];
});

afterAll(() => database.drop());

async function lines(...args: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runCli(args, { DATABASE_URL: database.url });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.trimEnd().split("\n");
}

async function answer(...args: string[]) {
  const [line = "", ...more] = await lines(...args, "--json");
  expect(more).toEqual([]);
  return JSON.parse(line);
}

describe("workspace list", () => {
  it("lists every workspace, and which are suspended", async () => {
    const { workspace_id: other } = await answer("workspace", "create", "--name", "Other");
    await answer("workspace", "suspend", "--workspace", other);
    const { workspace_id: third } = await answer("workspace", "create", "--name", "Third");
    const { deletion_at } = await answer("workspace", "delete", "--workspace", third, "--grace-days", "3");
    const { workspaces, count } = await answer("workspace", "list");
    const created_at = expect.any(String);
    expect({ workspaces, count }).toEqual({
      workspaces: [
        {
          id: workspace,
          name: "Acme Robots",
          created_at,
          suspended_at: null,
          deletion_at: null,
          users: 0,
          agents: 1,
        },
        {
          ...{ id: other, name: "Other", created_at, suspended_at: expect.any(String), deletion_at: null },
          ...{ users: 0, agents: 1 },
        },
        {
          ...{ id: third, name: "Third", created_at, suspended_at: expect.any(String), deletion_at },
          ...{ users: 0, agents: 1 },
        },
      ],
      count: 3,
    });
    expect((await lines("workspace", "list")).map((line) => line.split(/ {2,}/))).toEqual([
      ["Workspace id", "Name", "Users", "Agents", "State"],
      [workspace, "Acme Robots", "0", "1", "active"],
      [other, "Other", "0", "1", "suspended"],
      [third, "Third", "0", "1", `deleted on ${deletion_at.slice(0, 10)}`],
    ]);
    expect(await lines("workspace", "undelete", "--workspace", third)).toEqual([
      `The workspace ${third} is not deleted, and is not suspended.`,
    ]);
  });
});

describe("workspace quota", () => {
  it("sets what is given, and shows all", async () => {
    const set = ["--agents", "5", "--tasks-per-day", "none", "--storage-mib", "2"];
    const { quotas } = await answer("workspace", "quota", "--workspace", workspace, ...set);
    expect(quotas).toEqual({
      agents: { limit: 5, used: 1 },
      tasks_per_day: { limit: null, used: 0 },
      events_per_second: { limit: null, used: expect.any(Number) },
      storage_bytes: { limit: 2_097_152, used: expect.any(Number) },
    });
    const shown = await lines("workspace", "quota", "--workspace", workspace);
    expect(shown.map((line) => line.split(/ {2,}/))).toContainEqual(["agents", "1", "5"]);
    const args = ["workspace", "quota", "--workspace", workspace, "--agents", "many", "--json"];
    const { exitCode, stdout } = await runCli(args, { DATABASE_URL: database.url });
    expect({ exitCode, said: JSON.parse(stdout) }).toMatchObject({
      ...{ exitCode: 1, said: { error: { code: "validation_failed" } } },
    });
  });
});

describe("user list", () => {
  it("lists the members of a workspace, however many there are", async () => {
    expect(await lines("user", "list", "--workspace", workspace)).toEqual(["There are none."]);
    await database.query(
      `INSERT INTO "user" (workspace_id, id, email, name, role, created_at, updated_at, suspended_at)
       SELECT $1, gen_random_uuid(), 'p' || n || '@example.com', 'Person ' || n, 'viewer',
         now() + n * interval '1 s', now(), CASE WHEN n = 205 THEN now() END FROM generate_series(1, 205) n`,
      [workspace],
    );
    const { users, count } = await answer("user", "list", "--workspace", workspace);
    expect(count).toBe(205);
    expect(new Set(users.map(({ id }: { id: string }) => id)).size).toBe(205);
    expect(users.slice(0, 2)).toMatchObject([
      { email: "p205@example.com", name: "Person 205", role: "viewer", status: "suspended" },
      { email: "p204@example.com", status: "invited" },
    ]);
  });
});

describe("key list", () => {
  it("lists the keys of a workspace without their secrets", async () => {
    const made = await answer(
      "key",
      "create",
      "--workspace",
      workspace,
      "--scopes",
      "tasks:read",
      "--name",
      "CI",
    );
    await answer("key", "revoke", "--workspace", workspace, "--key", made.key_id);
    const listed = await answer("key", "list", "--workspace", workspace);
    expect(listed).toMatchObject({
      keys: [
        { id: made.key_id, name: "CI", scopes: ["tasks:read"], state: "revoked", primary: false },
        { primary: true, state: "active", agent: "primary" },
      ],
      count: 2,
    });
    expect(JSON.stringify(listed)).not.toContain(made.api_key.split(".")[1]);
    expect(await lines("key", "list", "--workspace", workspace)).toHaveLength(3);
  });
});

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
    const { workspaces, count } = await answer("workspace", "list");
    const created_at = expect.any(String);
    expect({ workspaces, count }).toEqual({
      workspaces: [
        { id: workspace, name: "Acme Robots", created_at, suspended_at: null, users: 0, agents: 1 },
        { id: other, name: "Other", created_at, suspended_at: expect.any(String), users: 0, agents: 1 },
      ],
      count: 2,
    });
    expect((await lines("workspace", "list")).map((line) => line.split(/ {2,}/))).toEqual([
      ["Workspace id", "Name", "Users", "Agents", "State"],
      [workspace, "Acme Robots", "0", "1", "active"],
      [other, "Other", "0", "1", "suspended"],
    ]);
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

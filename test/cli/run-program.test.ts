import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyArgon2id } from "../../src/auth/vendor/oslo.ts";
import { parseBearerKind } from "../../src/auth/credentials.ts";
import { SCOPES } from "../../src/domain/kernel/scopes.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { type CliRun, runCli } from "./run-cli.ts";

const UNKNOWN = "01890000-0000-7000-8000-000000000000";
const PASSWORD = "correct horse battery";

type Answered = Record<
  "workspace_id" | "api_key" | "scim_token" | "user_id" | "key_id" | "scim_token_id" | "error",
  string
>;

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  workspace = (await answer("workspace create --name Shared"))["workspace_id"];
});
afterAll(async () => {
  await database.drop();
});

describe("workspace create", () => {
  it("creates a workspace with a primary key with every scope, and a SCIM token", async () => {
    const made = await answer("workspace create --name Acme");
    expect(Object.keys(made)).toEqual(["workspace_id", "api_key", "scim_token"]);
    expect([parseBearerKind(made["api_key"]), parseBearerKind(made["scim_token"])]).toEqual([
      "api_key",
      "scim_token",
    ]);
    const keys = await database.query(`SELECT "primary", scopes FROM api_key WHERE workspace_id = $1`, [
      made["workspace_id"],
    ]);
    expect(keys).toEqual([{ primary: true, scopes: [...SCOPES] }]);
  });

  it("prints secrets once", async () => {
    const { exitCode, stdout, stderr } = await run("workspace create --name Acme");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/API key +agk_\S+\n +SCIM token +agp_\S+\n\n.*not shown again/);
  });

  it("rejects an empty name", async () => {
    expect(await readError(["workspace", "create", "--name", ""])).toMatchObject({
      code: "validation_failed",
      field: "name",
    });
  });
});

describe("workspace suspend and resume", () => {
  it("sets the suspension time once, and clears it", async () => {
    const made = (await answer("workspace create --name Acme"))["workspace_id"];
    const suspended = await answer(`workspace suspend --workspace ${made}`);
    expect(suspended).toEqual({ workspace_id: made, suspended_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await answer(`workspace suspend --workspace ${made}`)).toEqual(suspended);
    const resumed = await answer(`workspace resume --workspace ${made}`);
    expect(resumed).toEqual({ workspace_id: made, suspended_at: null });
    const audit = await database.query<{ action: string }>(
      "SELECT action FROM audit_event WHERE workspace_id = $1 AND action LIKE 'workspace.%ed' ORDER BY seq",
      [made],
    );
    expect(audit.map(({ action }) => action)).toEqual([
      ...["workspace.created", "workspace.suspended", "workspace.resumed"],
    ]);
  });

  it("rejects malformed and unknown ids", async () => {
    const [malformed, unknown] = await Promise.all([
      readError("workspace suspend --workspace not-an-id"),
      readError(`workspace resume --workspace ${UNKNOWN}`),
    ]);
    expect(malformed).toEqual({
      code: "validation_failed",
      message: "--workspace must be a UUID",
      field: "workspace",
    });
    expect(unknown).toEqual({ code: "not_found", message: "There is no such workspace." });
  });
});

describe("user create", () => {
  it("creates a user who can log in, optionally confirmed", async () => {
    const args = userArgs({ email: "Ann@example.com", role: "admin" });
    const { user_id: id } = await answer([...args, "--name", "Ann Lee", "--confirmed"]);
    const [user] = await database.query<{ hashed_password: string; confirmed: boolean }>(
      `SELECT email, name, role, hashed_password, confirmed_at IS NOT NULL AS confirmed FROM "user" WHERE id = $1`,
      [id],
    );
    expect(user).toMatchObject({
      ...{ email: "Ann@example.com", name: "Ann Lee", role: "admin", confirmed: true },
    });
    expect(await verifyArgon2id(user?.hashed_password ?? "", PASSWORD)).toBe(true);
  });

  it("reads the password from standard input", async () => {
    const args = userArgs({ email: "piped@example.com", password: "-" });
    const { stdout } = await run([...args, "--json"], "another long password\n");
    const [user] = await database.query<{ hashed_password: string }>(
      `SELECT hashed_password FROM "user" WHERE id = $1`,
      [parseAnswer(stdout)["user_id"]],
    );
    expect(await verifyArgon2id(user?.hashed_password ?? "", "another long password")).toBe(true);
  });

  it("rejects a taken address, a short password, an invalid address and an unknown role", async () => {
    await answer(userArgs({ email: "taken@example.com" }));
    const errors = await Promise.all([
      readError(userArgs({ email: "TAKEN@example.com" })),
      readError(userArgs({ email: "short@example.com", password: "short" })),
      readError(userArgs({ email: "nowhere" })),
      readError(userArgs({ email: "king@example.com", role: "king" })),
    ]);
    expect(errors).toEqual([
      { code: "validation_failed", field: "email", message: "--email is the address of another user" },
      { code: "validation_failed", field: "password", message: "--password must have 12 to 128 characters" },
      { code: "validation_failed", field: "email", message: "--email must be an email address" },
      {
        code: "validation_failed",
        field: "role",
        message: "--role must be one of owner, admin, operator, viewer",
      },
    ]);
  });

  it("rejects an unknown workspace", async () => {
    const args = userArgs({ email: "lost@example.com" }).map((arg) => (arg === workspace ? UNKNOWN : arg));
    expect(await readError(args)).toMatchObject({ code: "not_found" });
  });
});

describe("user suspend", () => {
  it("suspends the user with that address in any case", async () => {
    const { user_id: id } = await answer(userArgs({ email: "leaver@example.com" }));
    const suspended = await answer(`user suspend --workspace ${workspace} --email LEAVER@example.com`);
    expect(suspended).toEqual({ user_id: id });
    const [user] = await database.query(
      `SELECT suspended_at IS NOT NULL AS suspended FROM "user" WHERE id = $1`,
      [id],
    );
    expect(user).toEqual({ suspended: true });
  });

  it("rejects the last owner, and an unknown address", async () => {
    await answer(userArgs({ email: "owner@example.com", role: "owner" }));
    const [last, unknown] = await Promise.all([
      readError(`user suspend --workspace ${workspace} --email owner@example.com`),
      readError(`user suspend --workspace ${workspace} --email nobody@example.com`),
    ]);
    expect([last["code"], unknown["code"]]).toEqual(["invalid_state", "not_found"]);
  });
});

describe("key create and revoke", () => {
  it("create a key for an agent, and revoke it", async () => {
    const made = await answer(
      `key create --workspace ${workspace} --scopes tasks:read,tasks:work --name CI --agent primary`,
    );
    expect(parseBearerKind(made["api_key"])).toBe("api_key");
    const revoked = await answer(`key revoke --workspace ${workspace} --key ${made["key_id"]}`);
    expect(revoked).toEqual({ key_id: made["key_id"] });
    const [key] = await database.query(
      `SELECT k.name, a.handle, k.scopes, k.revoked_at IS NOT NULL AS revoked
       FROM api_key k JOIN agent a ON a.id = k.agent_id WHERE k.id = $1`,
      [made["key_id"]],
    );
    expect(key).toEqual({
      name: "CI",
      handle: "primary",
      scopes: ["tasks:read", "tasks:work"],
      revoked: true,
    });
  });

  it("reject unknown scopes, no scopes, unknown agents and unknown keys", async () => {
    const create = `key create --workspace ${workspace} --scopes`;
    const errors = await Promise.all([
      readError(`${create} tasks:fly`),
      readError(`${create} ,`),
      readError(`${create} tasks:read --agent nobody`),
      readError(`${create} tasks:read --agent Not_A_Handle`),
      readError(`key revoke --workspace ${workspace} --key nonsense`),
      readError(`key revoke --workspace ${workspace} --key ${UNKNOWN}`),
    ]);
    expect(errors.map(({ code, field }) => [code, field])).toEqual([
      ["invalid_scope", "scopes"],
      ["invalid_scope", "scopes"],
      ["not_found", undefined],
      ["validation_failed", "agent"],
      ["validation_failed", "key"],
      ["not_found", undefined],
    ]);
  });
});

describe("scim-token rotate", () => {
  it("keeps the previous token for the overlap, or not at all with 0", async () => {
    const made = (await answer("workspace create --name Rotated"))["workspace_id"];
    const first = await answer(`scim-token rotate --workspace ${made} --overlap 600`);
    expect(parseBearerKind(first["scim_token"])).toBe("scim_token");
    expect(await readError(`scim-token rotate --workspace ${made}`)).toMatchObject({ code: "token_limit" });
    const second = await answer(`scim-token rotate --workspace ${made} --overlap 0`);
    const active = await database.query(
      "SELECT id FROM scim_token WHERE workspace_id = $1 AND revoked_at IS NULL",
      [made],
    );
    expect(active).toEqual([{ id: second["scim_token_id"] }]);
  });

  it("rejects an invalid overlap", async () => {
    const refused = await readError(`scim-token rotate --workspace ${workspace} --overlap soon`);
    expect(refused).toMatchObject({ code: "validation_failed", field: "overlap" });
  });
});

describe("runProgram", () => {
  it("exits with 2 for wrong usage, with one line for people or one object for programs", async () => {
    const [people, programs] = await Promise.all([run("workspace create"), run("workspace destroy --json")]);
    expect(people).toEqual({
      ...{ exitCode: 2, stdout: "" },
      stderr: "agent-ops: required option '--name <name>' not specified\n",
    });
    expect(programs).toEqual({
      ...{ exitCode: 2, stderr: "" },
      stdout: `{"error":{"code":"wrong_usage","message":"unknown command 'destroy'"}}\n`,
    });
  });

  it("prints errors in one line on standard error", async () => {
    expect(await run(`workspace suspend --workspace ${UNKNOWN}`)).toEqual({
      ...{ exitCode: 1, stdout: "" },
      stderr: "agent-ops: There is no such workspace.\n",
    });
  });

  it("names an invalid environment variable", async () => {
    const { exitCode, stdout } = await runCli(["demo", "--json"], { DATABASE_URL: "mysql://localhost" });
    expect(exitCode).toBe(1);
    expect(parseAnswer(stdout)).toEqual({
      error: { code: "wrong_environment", message: expect.stringMatching(/^DATABASE_URL /) },
    });
  });

  it("says that the database can't be reached, without a stack trace", async () => {
    const { exitCode, stderr } = await runCli(["workspace", "create", "--name", "Acme"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere",
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "agent-ops: The database can't be reached at the moment. Try again later.\n",
    });
  });
});

function userArgs(given: { email: string; role?: string; password?: string }): string[] {
  const { email, role = "viewer", password = PASSWORD } = given;
  const options = ["--email", email, "--password", password, "--role", role];
  return ["user", "create", "--workspace", workspace, ...options];
}

async function run(args: string | string[], input = ""): Promise<CliRun> {
  const list = typeof args === "string" ? args.split(" ") : args;
  return runCli(list, { DATABASE_URL: database.url }, input);
}

/** The JSON of a successful command, which must be its only output. */
async function answer(args: string | string[]): Promise<Answered> {
  const { exitCode, stdout, stderr } = await run(
    Array.isArray(args) ? [...args, "--json"] : `${args} --json`,
  );
  expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: "" });
  return parseAnswer(stdout);
}

/** The JSON of a failed command, which must be its only output. */
async function readError(args: string | string[]): Promise<Record<string, string>> {
  const { exitCode, stdout, stderr } = await run(
    Array.isArray(args) ? [...args, "--json"] : `${args} --json`,
  );
  expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 1, stderr: "" });
  return JSON.parse(stdout).error;
}

function parseAnswer(stdout: string): Answered {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportWorkspace } from "../../src/domain/workspaces/export-workspace.ts";
import { createPerson } from "../support/people.ts";
import { personCtx } from "../support/person-ctx.ts";
import {
  type PopulatedWorkspace,
  createPopulatedWorkspace,
  tenantTables,
} from "../support/populated-workspace.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { runCli } from "./run-cli.ts";

/** Columns of bytes that are no secrets, so that an export has them. */
const SHOWN = new Set([
  ...[
    "approval.edited_hash",
    "approval.request_hash",
    "approval_review.request_hash",
    "decision.request_hash",
  ],
  // A picture that everybody in the workspace sees.
  "floor_plan.image",
  ...["audit_checkpoint.hash", "audit_checkpoint.previous", "audit_checkpoint.signature", "audit_event.hash"],
  ...[
    "audit_event.prev_hash",
    "workspace_head.audit_hash",
    "execution.request_hash",
    "idempotency_key.request_hash",
  ],
  ...["mcp_call.definition_hash", "mcp_tool.approved_hash", "mcp_tool.hash", "passkey.public_key"],
  ...["span.parent_span_id", "span.span_id", "span_content.span_id", "trace_score.span_id"],
  ...["trace.root_parent_id", "trace.root_span_id"],
]);

let server: TestServer;
let own: PopulatedWorkspace;
let other: PopulatedWorkspace;
let lines: string[];

beforeAll(async () => {
  server = await startTestServer();
  own = await createPopulatedWorkspace(server);
  other = await createPopulatedWorkspace(server);
  lines = await exportLines(own.workspaceId);
});

afterAll(() => server.close());

async function exportLines(workspaceId: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runCli(["workspace", "export", "--workspace", workspaceId], {
    DATABASE_URL: server.database.url,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return Buffer.from(stdout, "latin1").toString("utf8").trimEnd().split("\n");
}

describe("workspace export", () => {
  it("has rows of every table of the workspace, and says how many", async () => {
    const [first, ...rest] = lines.map((line) => JSON.parse(line));
    expect(first).toEqual({ export: { format: 1, workspace_id: own.workspaceId } });
    expect(rest.pop()).toEqual({ end: { rows: rest.length } });
    const tables = new Set(rest.map(({ table }) => table));
    const filled: string[] = [];
    for (const table of await tenantTables(server)) {
      const rows = await server.database.query(`SELECT FROM "${table}" WHERE workspace_id = $1`, [
        own.workspaceId,
      ]);
      if (rows.length > 0) filled.push(table);
    }
    expect(filled.length).toBeGreaterThan(60);
    expect([...tables]).toEqual(expect.arrayContaining(["workspace", ...filled]));
    expect(rest.filter(({ table }) => table === "user").map(({ row }) => row.email)).toEqual(
      (
        await server.database.query<{ email: string }>('SELECT email FROM "user" WHERE workspace_id = $1', [
          own.workspaceId,
        ])
      ).map(({ email }) => email),
    );
  });

  it("has nothing of another workspace", () => {
    const text = lines.join("\n");
    expect(text).toContain(own.word);
    expect(text).not.toContain(other.word);
    expect(text).not.toContain(other.workspaceId);
  });

  it("has what is called like a secret and is none", async () => {
    const rows = lines.map((line) => JSON.parse(line));
    const domain = rows.find(({ table }) => table === "sign_in_domain");
    const [stored] = await server.database.query<{ token: string }>(
      "SELECT token FROM sign_in_domain WHERE workspace_id = $1",
      [own.workspaceId],
    );
    expect(domain.row.token).toBe(stored?.token);
    const settings = rows.find(({ table }) => table === "notification_settings");
    expect(settings.row.digest).toMatch(/^(?:never|daily|weekly)$/);
  });

  it("has no secret", async () => {
    const columns = await server.database.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' AND table_name !~ '_\\d{8}$'`,
    );
    const text = lines.join("\n");
    let looked = 0;
    for (const { table, column } of columns) {
      if (SHOWN.has(`${table}.${column}`)) continue;
      const rows = await server.database.query<{ hex: string }>(
        `SELECT encode("${column}", 'hex') AS hex FROM "${table}" WHERE "${column}" IS NOT NULL`,
      );
      looked += rows.length;
      const found = rows.filter(({ hex }) => hex !== "" && text.includes(hex));
      expect({ table, column, found }).toEqual({ table, column, found: [] });
    }
    expect(looked).toBeGreaterThan(15);
    for (const secret of ["$argon2", "hashed_password", "sealed_", own.apiKey, own.agentToken, own.scimToken])
      expect(text).not.toContain(secret);
  });

  it("is in the audit log", async () => {
    const rows = await server.database.query(
      "SELECT action, target_id FROM audit_event WHERE workspace_id = $1 AND action = 'workspace.exported'",
      [own.workspaceId],
    );
    expect(rows).toEqual([{ action: "workspace.exported", target_id: own.workspaceId }]);
  });

  it("rejects a workspace that doesn't exist, and an actor who is no owner", async () => {
    const missing = ["--workspace", "01900000-0000-7000-8000-000000000000", "--json"];
    const { exitCode, stdout } = await runCli(["workspace", "export", ...missing], {
      DATABASE_URL: server.database.url,
    });
    expect({ exitCode, said: JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      said: { error: { code: "not_found" } },
    });
    const admin = await createPerson(server, own.workspaceId, { role: "admin" });
    const ctx = personCtx(server, { id: admin.id, workspaceId: own.workspaceId }, { role: "admin" });
    await expect(exportWorkspace(ctx, server.database.url).next()).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

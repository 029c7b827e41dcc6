import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBearerKind } from "../../../src/auth/credentials.ts";
import { createWorkspace } from "../../../src/auth/workspaces/create-workspace.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { listPolicies } from "../../../src/domain/policies/list-policies.ts";
import { SCOPES } from "../../../src/domain/kernel/scopes.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import { getErrorCode } from "../../support/callers.ts";
import { check } from "../../support/gateway-scene.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function readSlug(workspaceId: string): Promise<string> {
  const [row] = await server.database.query<{ slug: string }>("SELECT slug FROM workspace WHERE id = $1", [
    workspaceId,
  ]);
  return row?.slug ?? "";
}

describe("createWorkspace", () => {
  it("creates a workspace whose primary key has every scope", async () => {
    const { workspaceId, apiKey, scimToken } = await createWorkspace(server.services, { name: "Acme" });
    expect([parseBearerKind(apiKey), parseBearerKind(scimToken)]).toEqual(["api_key", "scim_token"]);
    const { body } = await createTestClient(server.url, apiKey).get("/api/v1/whoami");
    expect(body).toMatchObject({
      workspace: { id: workspaceId, name: "Acme" },
      credential: { kind: "api_key", expires_at: null },
      scopes: SCOPES.toSorted(),
    });
  });

  it("stores no secret in the database", async () => {
    const { workspaceId, apiKey, scimToken } = await createWorkspace(server.services, { name: "Secrets" });
    const tables = ["api_key", "scim_token", "event", "audit_event", "agent"];
    for (const table of tables) {
      const rows = await server.database.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE workspace_id = $1`,
        [workspaceId],
      );
      const text = rows.map(({ row }) => row).join();
      for (const secret of [apiKey.slice(apiKey.indexOf(".") + 1), scimToken])
        expect(text).not.toContain(secret);
    }
  });

  it("starts events at 1, the agents' total at 1, and the audit log with its creation", async () => {
    const { workspaceId } = await createWorkspace(server.services, { name: "Acme" });
    const { query } = server.database;
    const events = await query("SELECT seq, type FROM event WHERE workspace_id = $1 ORDER BY seq", [
      workspaceId,
    ]);
    expect(events).toEqual([
      { seq: "1", type: "workspace.created" },
      { seq: "2", type: "agent.created" },
      { seq: "3", type: "api_key.created" },
      { seq: "4", type: "scim_token.created" },
      { seq: "5", type: "policy.created" },
      { seq: "6", type: "policy.created" },
    ]);
    const totals = await query(
      "SELECT collection, facet, total FROM collection_total WHERE workspace_id = $1 ORDER BY collection",
      [workspaceId],
    );
    expect(totals).toEqual([
      { collection: "agents", facet: "all", total: 1 },
      { collection: "policies", facet: "all", total: 2 },
    ]);
    expect(await checkAuditChain(server.database, workspaceId)).toEqual({ rows: 5, brokenAt: null });
  });

  it("starts with policies that allow what only reads, and ask about what does harm", async () => {
    const { workspaceId, apiKey } = await createWorkspace(server.services, { name: "Acme" });
    const client = createTestClient(server.url, apiKey);
    const tools = ["crm.get_customer", "stripe.refund", "db.delete_all", "db.list.deleted", "shell.run"];
    const answers = await Promise.all(
      tools.map((id) => check(client, { action: { name: "tools/call" }, resource: { type: "tool", id } })),
    );
    expect(answers.map(({ status, reason }) => [status, reason])).toEqual([
      ["allowed", "policy_allow"],
      ["pending", "approval_required"],
      ["pending", "approval_required"],
      ["pending", "approval_required"],
      ["denied", "default_deny"],
    ]);
    const ctx = server.systemCtx(workspaceId);
    const { nodes } = await listPolicies(ctx, {});
    expect(nodes.map(({ name }) => name)).toEqual(["dangerous tools", "read-only tools"]);
    for (const { id } of nodes) await deletePolicy(ctx, { id });
    expect((await listPolicies(ctx, {})).total).toBe(0);
  });

  it("derives a slug from every name, and a different one for the same name", async () => {
    const make = async (name: string) =>
      readSlug((await createWorkspace(server.services, { name })).workspaceId);
    expect(await make("Ümläut & Söhne GmbH")).toMatch(/^u-?m-?la-?ut-so-?hne-gmbh-[0-9a-f]{8}$/);
    expect(await make("株式会社")).toMatch(/^[0-9a-f]{8}$/);
    expect(await make("x".repeat(100))).toMatch(/^x{40}-[0-9a-f]{8}$/);
    expect(await make("Acme")).not.toBe(await make("Acme"));
  });

  it("gives concurrent workspaces different slugs", async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => createWorkspace(server.services, { name: "Same name" })),
    );
    const slugs = await Promise.all(made.map(({ workspaceId }) => readSlug(workspaceId)));
    expect(new Set(slugs).size).toBe(30);
  });

  it.each(["", "x".repeat(101), "a\0b"])("rejects the name %j", async (name) => {
    expect(await getErrorCode(createWorkspace(server.services, { name }))).toBe("validation_failed");
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { listApiKeys } from "../../../src/auth/api-keys/list-api-keys.ts";
import { readApiKey } from "../../../src/auth/api-keys/read-api-key.ts";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { holdLock } from "../../support/locked-table.ts";
import { createTestClient } from "../../support/test-client.ts";
import { createPerson } from "../../support/people.ts";
import { lastAudit, personCtx } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

type Input = Parameters<typeof createApiKey>[1];

function create(input: Partial<Input> = {}, by = ctx) {
  return createApiKey(by, { name: "A key", scopes: ["tasks:read"], ...input });
}

function readStatus(secret: string): Promise<number> {
  return createTestClient(server.url, secret)
    .get("/api/v1/whoami")
    .then(({ status }) => status);
}

describe("createApiKey", () => {
  it("leaves no valid key of a creator who is suspended at the same time", async () => {
    const { workspaceId } = ctx;
    await ctx.db.workspace.updateMany({ data: { revokesKeysOfSuspendedCreator: true } });
    const person = await createPerson(server, workspaceId, { role: "admin" });
    const by = personCtx(server, person, { role: "admin" });
    const head = await holdLock(
      server.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [workspaceId],
    );
    const made = create({}, by);
    await head.waiters(1);
    const suspended = deactivateUser(ctx, person.id);
    await head.waiters(2);
    await head.release();
    await suspended;
    expect(await readStatus((await made).secret)).toBe(401);
  });

  it("creates no key for a person who was suspended", async () => {
    const person = await createPerson(server, ctx.workspaceId, { role: "admin" });
    const by = personCtx(server, person, { role: "admin" });
    await deactivateUser(ctx, person.id);
    await expect(create({}, by)).rejects.toMatchObject({ code: "invalid_token" });
  });

  it("creates a key that works at once, is returned once, and is stored as a digest", async () => {
    const { apiKey, secret } = await create({ name: "Robots" });
    expect(await readStatus(secret)).toBe(200);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "api_key.created", target_id: apiKey.id },
      changes: { name: "Robots", scopes: ["tasks:read"], ip_allowlist: [] },
    });
    for (const table of ["api_key", "audit_event", "event"]) {
      const rows = await server.database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      expect(rows.map(({ row }) => row).join()).not.toContain(secret.split(".")[1]);
    }
    expect(server.logged.join()).not.toContain(secret.split(".")[1]);
  });

  it("limits a key to its addresses", async () => {
    const { secret } = await create({ ipAllowlist: ["10.0.0.0/8", "2001:DB8::/32"] });
    expect(await readStatus(secret)).toBe(403);
    const here = await create({ ipAllowlist: [" 127.0.0.0/8 ", "127.0.0.0/8", "::1"] });
    expect(here.apiKey.ipAllowlist).toEqual(["127.0.0.0/8", "::1"]);
    expect(await readStatus(here.secret)).toBe(200);
  });

  it.each([
    ...["", "10.0.0.1/33", "10.0.0.1/08", "10.0.0.1/", "10.0.0", "2001:db8::/129", "::ffff:10.0.0.1", "x"],
    ...["fe80::1%eth0", "10.0.0.0/8/8", "10.0.0.0/-1", "localhost"],
  ])("rejects the address %j", async (address) => {
    expect(await getErrorCode(create({ ipAllowlist: [address] }))).toBe("validation_failed");
  });

  it("rejects a long list, a past expiry and unknown scopes", async () => {
    const addresses = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`);
    expect(await getErrorCode(create({ ipAllowlist: addresses }))).toBe("validation_failed");
    const at = new Date("2030-01-01T00:00:00Z");
    const then = openCtx(server.services, ctx, at);
    expect(await getErrorCode(create({ expiresAt: at }, then))).toBe("validation_failed");
    expect(await getErrorCode(create({ expiresAt: new Date(at.getTime() + 1) }, then))).toBe("");
    expect(await getErrorCode(create({ expiresAt: new Date(Date.now() - 1000) }))).toBe("validation_failed");
    expect(await getErrorCode(create({ scopes: [] }))).toBe("invalid_scope");
    expect(await getErrorCode(create({ scopes: ["tasks:fly"] }))).toBe("invalid_scope");
    expect(await getErrorCode(create({ agentHandle: "nobody" }))).toBe("not_found");
  });

  it("allows admins with a recent password, and no bearer", async () => {
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const code = await getErrorCode(create({}, userCtx(server, ctx.workspaceId, role)));
      expect(code).toBe(role === "owner" || role === "admin" ? "" : "forbidden");
    }
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const stale = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await getErrorCode(create({}, stale))).toBe("sudo_required");
  });
});

describe("listApiKeys", () => {
  it("lists the workspace's keys with their agents, newest first, without digests", async () => {
    const { apiKey } = await create();
    const { nodes, total } = await listApiKeys(ctx, {});
    expect(total).toBe(2);
    expect(nodes.map(({ id, primary }) => [id === apiKey.id, primary])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(nodes[1]).toMatchObject({ agentHandle: "primary", agentName: "Primary agent" });
    expect(Object.keys(nodes[0] ?? {})).not.toContain("digest");
    const page = await listApiKeys(ctx, { first: 1 });
    expect(page).toMatchObject({ total: 2, hasNextPage: true });
  });

  it("filters active and inactive keys, and changes its version with each change", async () => {
    const at = new Date(Date.now() + 3_600_000);
    const [revoked, expiring] = [await create(), await create({ expiresAt: at })];
    const before = (await listApiKeys(ctx, {})).version;
    await revokeApiKey(ctx, revoked.apiKey.id);
    expect((await listApiKeys(ctx, {})).version).toBeGreaterThan(before);
    const idsBy = async (by: Ctx, valid: boolean) =>
      (await listApiKeys(by, {}, { valid })).nodes.map(({ id }) => id);
    expect(await idsBy(ctx, false)).toEqual([revoked.apiKey.id]);
    expect(await idsBy(ctx, true)).toContain(expiring.apiKey.id);
    const then = openCtx(server.services, ctx, at);
    expect(await idsBy(then, false)).toEqual([expiring.apiKey.id, revoked.apiKey.id]);
  });

  it("flags keys whose creator is suspended or deleted", async () => {
    const person = await createPerson(server, ctx.workspaceId, { role: "admin" });
    const { apiKey, secret } = await create({}, personCtx(server, person, { role: "admin" }));
    expect((await readApiKey(ctx, apiKey.id)).creatorSuspended).toBe(false);
    await deactivateUser(ctx, person.id);
    expect(await readApiKey(ctx, apiKey.id)).toMatchObject({ creatorSuspended: true, revokedAt: null });
    expect(await readStatus(secret)).toBe(200);
    const { nodes } = await listApiKeys(ctx, {});
    expect(nodes.map(({ creatorSuspended }) => creatorSuspended)).toEqual([true, false]);
  });

  it("reads keys, agents and creators in one statement", async () => {
    for (let made = 0; made < 5; made++) await create();
    let statements = 0;
    const counting: Ctx = {
      ...ctx,
      read: (statement, values) => {
        statements++;
        return ctx.read(statement, values);
      },
      get db(): never {
        throw new Error("a page is read by a statement of its own");
      },
    };
    expect((await listApiKeys(counting, {}, { valid: true })).total).toBe(6);
    expect(statements).toBe(1);
  });

  it("allows admins and owners of the workspace", async () => {
    const { apiKey } = await create();
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const by = userCtx(server, ctx.workspaceId, role);
      const code = role === "owner" || role === "admin" ? "" : "forbidden";
      expect(await getErrorCode(listApiKeys(by, {}))).toBe(code);
      expect(await getErrorCode(readApiKey(by, apiKey.id))).toBe(code);
    }
    const elsewhere = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await getErrorCode(readApiKey(elsewhere, apiKey.id))).toBe("not_found");
    expect((await listApiKeys(elsewhere, {})).total).toBe(1);
  });
});

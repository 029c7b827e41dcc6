import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { readApiKey } from "../../../src/auth/api-keys/read-api-key.ts";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../../src/auth/api-keys/update-api-key.ts";
import type { ApiKey } from "../../../src/db/generated/client.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { countFollowedRevocations } from "../../support/credential-events.ts";
import { type TestSocket, socketToken, tokenSocket } from "../../support/socket-client.ts";
import { readEventTypes, lastAudit, personCtx, readRevocationReasons } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const DAY = 86_400_000;
const SCOPES = ["tasks:read", "tasks:write"];

let server: TestServer;
let ctx: Ctx;
let primary: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const workspace = await server.createWorkspace();
  primary = workspace.apiKey;
  ctx = server.systemCtx(workspace.workspaceId);
});

type Made = { apiKey: ApiKey; secret: string };

function create(expiresAt: Date | null = null): Promise<Made> {
  return createApiKey(ctx, { name: "A key", scopes: SCOPES, expiresAt });
}

async function mint({ secret }: Pick<Made, "secret">): Promise<string> {
  return (await createTestClient(server.url, secret).post("/api/v1/agent_tokens")).body.token;
}

function createBearerClient(bearer: string): TestClient {
  return createTestClient(server.url, bearer);
}

async function worksFor(bearer: string): Promise<boolean> {
  return (await createBearerClient(bearer).get("/api/v1/whoami")).status === 200;
}

async function readScopes(bearer: string): Promise<string[]> {
  return (await createBearerClient(bearer).get("/api/v1/whoami")).body.scopes;
}

/** The scopes of an open socket. */
async function readSocketScopes(socket: TestSocket): Promise<string[]> {
  socket.send({ type: "subscribe", id: "scopes", payload: { query: "{ viewer { scopes } }" } });
  const { payload } = await socket.until(({ id, type }) => id === "scopes" && type === "next");
  return payload.data.viewer.scopes;
}

/** Whether a socket token can still open a socket. */
async function isTokenActive(token: string): Promise<boolean> {
  return (await createBearerClient(primary).post("/api/v1/tokens/introspect", { token })).body.active;
}

function staleCtx(): Ctx {
  const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
  return personCtx(server, person, { role: "owner", isSudo: false });
}

describe("updateApiKey", () => {
  it("removes scopes from a key and its tokens at once, and closes their sockets", async () => {
    const made = await create();
    const token = await mint(made);
    expect(await readScopes(token)).toEqual(SCOPES);
    const minted = await Promise.all([made.secret, token].map((bearer) => socketToken(server.url, bearer)));
    const sockets = await Promise.all(minted.map((each) => tokenSocket(server.url, each)));
    for (const socket of sockets) expect(await readSocketScopes(socket)).toEqual(SCOPES);
    const followed = await countFollowedRevocations(server);
    await updateApiKey(ctx, made.apiKey.id, { scopes: ["tasks:read"] });
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 4403, reason: "reauth_required" });
    // The node reads its own revocations again from the log, which closes sockets opened in between.
    await expect.poll(() => countFollowedRevocations(server)).toBeGreaterThan(followed);
    // Tokens minted before can still open sockets, with the remaining scopes.
    for (const each of minted) {
      const socket = await tokenSocket(server.url, each);
      expect(await readSocketScopes(socket)).toEqual(["tasks:read"]);
      socket.socket.close();
    }
    expect(await readScopes(made.secret)).toEqual(["tasks:read"]);
    expect(await readScopes(token)).toEqual(["tasks:read"]);
    expect(await readRevocationReasons(server, made.apiKey.id)).toEqual(["scopes_narrowed"]);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "api_key.updated", changes: { scopes: { from: SCOPES, to: ["tasks:read"] } } },
    });
  });

  it("changes addresses at once, and the name without revoking anything", async () => {
    const { apiKey, secret } = await create();
    expect(await worksFor(secret)).toBe(true);
    await updateApiKey(ctx, apiKey.id, { name: "Another" });
    expect(await readRevocationReasons(server, apiKey.id)).toEqual([]);
    await updateApiKey(ctx, apiKey.id, { ipAllowlist: ["10.0.0.0/8"] });
    expect(await worksFor(secret)).toBe(false);
    expect(await readRevocationReasons(server, apiKey.id)).toEqual(["ip_allowlist_changed"]);
    await updateApiKey(ctx, apiKey.id, { ipAllowlist: [] });
    expect(await worksFor(secret)).toBe(true);
    expect((await readApiKey(ctx, apiKey.id)).name).toBe("Another");
  });

  it("does nothing if nothing changes", async () => {
    const { apiKey } = await create();
    await updateApiKey(ctx, apiKey.id, {});
    await updateApiKey(ctx, apiKey.id, { name: "A key", scopes: SCOPES, ipAllowlist: [] });
    expect(await readEventTypes(server, apiKey.id)).toEqual(["api_key.created"]);
  });

  it("adds no scope, keeps at least one, and changes no revoked or expired key", async () => {
    const { apiKey } = await create();
    const change = (input: object) => getErrorCode(updateApiKey(ctx, apiKey.id, input));
    expect(await change({ scopes: ["tasks:read", "messages:read"] })).toBe("invalid_scope");
    expect(await change({ scopes: [] })).toBe("invalid_scope");
    expect(await change({ name: "" })).toBe("validation_failed");
    expect(await change({ ipAllowlist: ["x"] })).toBe("validation_failed");
    await revokeApiKey(ctx, apiKey.id);
    expect(await change({ name: "x" })).toBe("invalid_state");
  });
});

describe("rotateApiKey", () => {
  it("creates a key of the same lineage, and the old one keeps working for a day", async () => {
    const { apiKey: old, secret } = await create();
    const { apiKey, secret: another } = await rotateApiKey(ctx, old.id);
    expect(another).not.toBe(secret);
    expect([await worksFor(secret), await worksFor(another)]).toEqual([true, true]);
    const { agentId, lineageId, name, scopes } = old;
    expect(apiKey).toMatchObject({ agentId, lineageId, name, scopes, expiresAt: null, primary: false });
    const after = await readApiKey(ctx, old.id);
    expect(after).toMatchObject({ rotatedToId: apiKey.id, revokedAt: null });
    const left = (after.expiresAt?.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(DAY - 60_000);
    expect(left).toBeLessThanOrEqual(DAY);
    expect(await readRevocationReasons(server, old.id)).toEqual([]);
    expect(await lastAudit(server, ctx.workspaceId)).toEqual({
      ...{ action: "api_key.rotated", target_id: old.id },
      changes: { rotated_to_id: apiKey.id, overlap_seconds: 86_400 },
    });
  });

  it("ends the old key at once with an overlap of 0, but not its tokens", async () => {
    const made = await create();
    const token = await mint(made);
    const socket = (await createBearerClient(token).post("/api/v1/socket_tokens")).body.token;
    const direct = (await createBearerClient(made.secret).post("/api/v1/socket_tokens")).body.token;
    const next = await rotateApiKey(ctx, made.apiKey.id, { overlapSeconds: 0 });
    expect(await worksFor(made.secret)).toBe(false);
    expect(await worksFor(token)).toBe(true);
    expect([await isTokenActive(socket), await isTokenActive(direct)]).toEqual([true, true]);
    const minted = (await createBearerClient(token).post("/api/v1/socket_tokens")).body.token;
    expect(await isTokenActive(minted)).toBe(true);
    expect(await readRevocationReasons(server, made.apiKey.id)).toEqual(["rotated"]);
    const listed = await createBearerClient(next.secret).get("/api/v1/agent_tokens");
    expect(listed.body.agent_tokens).toHaveLength(1);
  });

  it("never extends the old key's expiry, which the new one keeps by default", async () => {
    const at = new Date("2030-01-01T00:00:00.000Z");
    const then = openCtx(server.services, ctx, at);
    const end = new Date(at.getTime() + 1000);
    const { apiKey: old } = await createApiKey(then, { name: "x", scopes: SCOPES, expiresAt: end });
    const { apiKey: next } = await rotateApiKey(then, old.id, { overlapSeconds: 2_592_000 });
    expect((await readApiKey(ctx, old.id)).expiresAt).toEqual(end);
    expect(next.expiresAt).toEqual(end);
    const later = new Date(at.getTime() + DAY);
    const { apiKey: last } = await rotateApiKey(then, next.id, { overlapSeconds: 5, expiresAt: later });
    expect(last.expiresAt).toEqual(later);
    expect(last.lineageId).toBe(old.lineageId);
  });

  it("passes on being the primary key", async () => {
    const before = await ctx.db.apiKey.findFirstOrThrow({ where: { primary: true } });
    const { apiKey } = await rotateApiKey(ctx, before.id);
    expect(apiKey.primary).toBe(true);
    expect(await readApiKey(ctx, before.id)).toMatchObject({ primary: false });
    expect(await worksFor(primary)).toBe(true);
  });

  it("rejects a revoked, expired or rotated key, also for concurrent rotations", async () => {
    const { apiKey } = await create();
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => getErrorCode(rotateApiKey(ctx, apiKey.id))),
    );
    expect(codes.toSorted()).toEqual(["", "invalid_state", "invalid_state", "invalid_state"]);
    const soon = await createApiKey(openCtx(server.services, ctx, new Date("2029-01-01T00:00:00Z")), {
      ...{ name: "x", scopes: SCOPES, expiresAt: new Date("2029-01-02T00:00:00Z") },
    });
    const later = openCtx(server.services, ctx, new Date("2029-01-02T00:00:00Z"));
    expect(await getErrorCode(rotateApiKey(later, soon.apiKey.id))).toBe("invalid_state");
    const { apiKey: revoked } = await create();
    await revokeApiKey(ctx, revoked.id);
    expect(await getErrorCode(rotateApiKey(ctx, revoked.id))).toBe("invalid_state");
  });

  it.each([-1, 2_592_001, 0.5])("rejects an overlap of %d seconds", async (overlapSeconds) => {
    const { apiKey } = await create();
    expect(await getErrorCode(rotateApiKey(ctx, apiKey.id, { overlapSeconds }))).toBe("validation_failed");
  });
});

describe("revokeApiKey", () => {
  it("revokes the key and every token of its lineage at once", async () => {
    const made = await create();
    const [before, kept] = [await mint(made), await mint({ secret: primary })];
    const next = await rotateApiKey(ctx, made.apiKey.id);
    const after = await mint(next);
    const socket = (await createBearerClient(after).post("/api/v1/socket_tokens")).body.token;
    expect([await worksFor(before), await worksFor(after), await isTokenActive(socket)]).toEqual([
      true,
      true,
      true,
    ]);
    await revokeApiKey(ctx, next.apiKey.id);
    expect([await worksFor(before), await worksFor(after), await isTokenActive(socket)]).toEqual([
      ...[false, false, false],
    ]);
    expect(await worksFor(next.secret)).toBe(false);
    // The old key has its overlap, and other lineages are unaffected.
    expect([await worksFor(made.secret), await worksFor(kept)]).toEqual([true, true]);
    expect(await readRevocationReasons(server, next.apiKey.id)).toEqual(["revoked"]);
    expect(await readRevocationReasons(server, made.apiKey.id)).toEqual(["lineage_revoked"]);
  });

  it("leaves no token valid if the key is rotated concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const made = await create();
      const token = await mint(made);
      await Promise.all([
        revokeApiKey(ctx, made.apiKey.id),
        getErrorCode(rotateApiKey(ctx, made.apiKey.id, { overlapSeconds: 60 })),
      ]);
      expect([await worksFor(made.secret), await worksFor(token)]).toEqual([false, false]);
    }
  });

  it("writes one event", async () => {
    const { apiKey } = await create();
    await Promise.all([revokeApiKey(ctx, apiKey.id), revokeApiKey(ctx, apiKey.id)]);
    expect(await readEventTypes(server, apiKey.id)).toEqual(["api_key.created", "api_key.revoked"]);
    expect(await readApiKey(ctx, apiKey.id)).toMatchObject({ revokedReason: "revoked" });
  });
});

describe.each<[string, (by: Ctx, id: string) => Promise<unknown>]>([
  ["updateApiKey", (by, id) => updateApiKey(by, id, { name: "x" })],
  ["rotateApiKey", (by, id) => rotateApiKey(by, id)],
  ["revokeApiKey", (by, id) => revokeApiKey(by, id)],
])("%s", (_name, change) => {
  it("allows only admins of the workspace with a recent password", async () => {
    const { apiKey } = await create();
    for (const role of ["operator", "viewer"] as const) {
      expect(await getErrorCode(change(userCtx(server, ctx.workspaceId, role), apiKey.id))).toBe("forbidden");
    }
    expect(await getErrorCode(change(staleCtx(), apiKey.id))).toBe("sudo_required");
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(change(elsewhere, apiKey.id))).toBe("not_found");
    expect(await getErrorCode(change(ctx, crypto.randomUUID()))).toBe("not_found");
    expect(await getErrorCode(change(userCtx(server, ctx.workspaceId, "admin"), apiKey.id))).toBe("");
  });
});

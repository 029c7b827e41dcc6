import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseBearerKind, hashSecret } from "../../../src/auth/credentials.ts";
import { rotateScimToken } from "../../../src/auth/scim-tokens/rotate-scim-token.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const NOW = new Date("2030-01-01T00:00:00.000Z");

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = at(server.systemCtx((await server.createWorkspace()).workspaceId), 0);
});

/** The same caller, some seconds later. */
function at(caller: Ctx, seconds: number): Ctx {
  return openCtx(server.services, caller, new Date(NOW.getTime() + seconds * 1000));
}

type Row = { expires_at: Date | null; revoked_at: Date | null };

/** The workspace's tokens, oldest first. */
async function tokens(): Promise<Row[]> {
  return server.database.query<Row>(
    "SELECT expires_at, revoked_at FROM scim_token WHERE workspace_id = $1 ORDER BY id",
    [ctx.workspaceId],
  );
}

describe("rotateScimToken", () => {
  it("creates a token that is returned once and stored as a digest", async () => {
    const { scimToken, secret } = await rotateScimToken(ctx, { label: "Okta" });
    expect(parseBearerKind(secret)).toBe("scim_token");
    expect(Buffer.from(scimToken.digest)).toEqual(Buffer.from(hashSecret(secret)));
    expect(scimToken).toMatchObject({ label: "Okta", last4: secret.slice(-4), expiresAt: null });
    const kept = await server.database.query<{ row: string }>(
      "SELECT to_jsonb(t)::text AS row FROM scim_token t WHERE workspace_id = $1",
      [ctx.workspaceId],
    );
    expect(kept.map(({ row }) => row).join()).not.toContain(secret);
  });

  it("keeps the previous one valid for an hour, or as requested", async () => {
    await rotateScimToken(ctx);
    expect((await tokens())[0]).toEqual({
      expires_at: new Date("2030-01-01T01:00:00.000Z"),
      revoked_at: null,
    });
    await rotateScimToken(at(ctx, 3600), { overlapSeconds: 86_400 });
    expect((await tokens())[1]?.expires_at).toEqual(new Date("2030-01-02T01:00:00.000Z"));
  });

  it("rejects a third while two are valid, and never extends an expiring one", async () => {
    await rotateScimToken(ctx, { overlapSeconds: 60 });
    expect(await getErrorCode(rotateScimToken(at(ctx, 59)))).toBe("token_limit");
    expect(await tokens()).toHaveLength(2);
    await rotateScimToken(at(ctx, 60), { overlapSeconds: 3600 });
    const [first] = await tokens();
    expect(first?.expires_at).toEqual(new Date(NOW.getTime() + 60_000));
  });

  it("revokes all others at once with an overlap of 0, with events", async () => {
    await rotateScimToken(ctx, { overlapSeconds: 60 });
    await rotateScimToken(at(ctx, 1), { overlapSeconds: 0 });
    const [one, two, three] = await tokens();
    const then = new Date(NOW.getTime() + 1000);
    expect([one?.revoked_at, two?.revoked_at]).toEqual([then, then]);
    expect(three).toEqual({ expires_at: null, revoked_at: null });
    const revoked = await server.database.query(
      "SELECT 1 FROM revocation WHERE workspace_id = $1 AND kind = 'scim_token'",
      [ctx.workspaceId],
    );
    expect(revoked).toHaveLength(2);
  });

  it("leaves at most two valid after eight concurrent rotations", async () => {
    // The first round opens the connections used by the later races.
    for (let round = 0; round < 4; round++) {
      ctx = at(server.systemCtx((await server.createWorkspace()).workspaceId), 0);
      const codes = await Promise.all(Array.from({ length: 8 }, () => getErrorCode(rotateScimToken(ctx))));
      expect(codes.filter((code) => code === "")).toHaveLength(1);
      expect(codes.filter((code) => code === "token_limit")).toHaveLength(7);
      expect(await tokens()).toHaveLength(2);
    }
  });

  it.each([-1, 86_401, 0.5])("rejects an overlap of %d seconds", async (overlapSeconds) => {
    expect(await getErrorCode(rotateScimToken(ctx, { overlapSeconds }))).toBe("validation_failed");
  });

  it("allows only owners", async () => {
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const by = at(userCtx(server, ctx.workspaceId, role), 0);
      const code = await getErrorCode(rotateScimToken(by, { overlapSeconds: 0 }));
      expect(code).toBe(role === "owner" ? "" : "forbidden");
    }
  });
});

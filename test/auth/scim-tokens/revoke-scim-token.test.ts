import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listScimTokens } from "../../../src/auth/scim-tokens/list-scim-tokens.ts";
import { revokeScimToken } from "../../../src/auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../../src/auth/scim-tokens/rotate-scim-token.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { readEventTypes, personCtx, readRevocationReasons } from "../../support/person-ctx.ts";
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

describe("listScimTokens", () => {
  it("lists the workspace's tokens, newest first", async () => {
    const { scimToken } = await rotateScimToken(ctx, { label: "Okta" });
    const listed = await listScimTokens(ctx);
    expect(listed.map(({ label }) => label)).toEqual(["Okta", null]);
    expect(listed[0]?.id).toBe(scimToken.id);
    const elsewhere = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await listScimTokens(elsewhere)).toHaveLength(1);
    for (const role of ["operator", "viewer"] as const) {
      expect(await getErrorCode(listScimTokens(userCtx(server, ctx.workspaceId, role)))).toBe("forbidden");
    }
  });
});

describe("revokeScimToken", () => {
  it("revokes a token at once, writes one event, and allows the next", async () => {
    const { scimToken } = await rotateScimToken(ctx);
    expect(await getErrorCode(rotateScimToken(ctx))).toBe("token_limit");
    const [first, again] = await Promise.all([
      revokeScimToken(ctx, scimToken.id),
      revokeScimToken(ctx, scimToken.id),
    ]);
    expect(first.revokedAt).toBeInstanceOf(Date);
    expect(again.revokedAt).toEqual(first.revokedAt);
    expect(await readEventTypes(server, scimToken.id)).toEqual(["scim_token.rotated", "scim_token.revoked"]);
    expect(await readRevocationReasons(server, scimToken.id)).toEqual(["revoked"]);
    expect(await getErrorCode(rotateScimToken(ctx))).toBe("");
  });

  it("allows only owners of the workspace with a recent password", async () => {
    const [token] = await listScimTokens(ctx);
    const id = token?.id ?? "";
    for (const role of ["admin", "operator", "viewer"] as const) {
      const caller = userCtx(server, ctx.workspaceId, role);
      expect(await getErrorCode(revokeScimToken(caller, id))).toBe("forbidden");
      expect(await getErrorCode(rotateScimToken(caller))).toBe("forbidden");
    }
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const stale = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await getErrorCode(revokeScimToken(stale, id))).toBe("sudo_required");
    expect(await getErrorCode(rotateScimToken(stale))).toBe("sudo_required");
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(revokeScimToken(elsewhere, id))).toBe("not_found");
    expect((await listScimTokens(ctx))[0]?.revokedAt).toBeNull();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateSocket } from "../../../src/auth/socket-tokens/authenticate-socket.ts";
import { createSocketToken } from "../../../src/auth/socket-tokens/create-socket-token.ts";
import { keyCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

async function mint(input: Parameters<typeof createSocketToken>[1] = {}) {
  const { workspaceId } = await quiet.createWorkspace();
  const system = quiet.systemCtx(workspaceId);
  const key = await system.db.apiKey.findFirstOrThrow({ where: { primary: true } });
  const { secret } = await createSocketToken(keyCtx(quiet, system, key), input);
  const open = (ip: string | null = null) =>
    authenticateSocket({ database: quiet.services.database, now: null }, secret, ip);
  return { workspaceId, key, open };
}

describe("authenticateSocket", () => {
  it("returns the agent with its key", async () => {
    const { workspaceId, key, open } = await mint();
    expect(await open()).toEqual({
      actor: {
        ...{ type: "agent", id: key.agentId, name: expect.any(String), scopes: new Set(key.scopes) },
        credential: {
          kind: "api_key",
          id: key.id,
          parent: { kind: "api_key", id: key.id },
          lineageId: key.lineageId,
          expiresAt: null,
        },
      },
      ...{ workspaceId, socketTokenId: expect.any(String), agentTokenId: null, remainingMs: null },
    });
  });

  it("applies the key's address list", async () => {
    const { key, open } = await mint();
    await quiet.database.query("UPDATE api_key SET ip_allowlist = '{10.0.0.0/8}' WHERE id = $1", [key.id]);
    expect(await open("192.0.2.1")).toBe("forbidden");
    expect(await open(null)).toBe("forbidden");
    expect(await open("10.1.2.3")).toMatchObject({ actor: { id: key.agentId } });
  });

  it("rejects a single-use token the second time", async () => {
    const { open } = await mint({ singleUse: true });
    expect(await open()).toMatchObject({ agentTokenId: null });
    expect(await open()).toBe("expired");
  });

  it("does not use up a single-use token while the workspace is suspended", async () => {
    const { workspaceId, open } = await mint({ singleUse: true });
    const suspend = (at: string) =>
      quiet.database.query(`UPDATE workspace SET suspended_at = ${at} WHERE id = $1`, [workspaceId]);
    await suspend("now()");
    expect(await open()).toBe("workspace_suspended");
    await suspend("NULL");
    expect(await open()).toMatchObject({ workspaceId });
  });

  it("rejects an expired token, an unknown one, and any other credential", async () => {
    const { workspaceId, key, open } = await mint();
    await quiet.database.query(
      "UPDATE socket_token SET expires_at = now() - interval '1 second' WHERE workspace_id = $1",
      [workspaceId],
    );
    expect(await open()).toBe("expired");
    await quiet.database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [key.id]);
    expect(await open()).toBe("invalid");
    const services = { database: quiet.services.database, now: null };
    for (const token of ["ags_unknown", "agk_unknown", "", "x"]) {
      expect(await authenticateSocket(services, token, null)).toBe("invalid");
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSocketToken } from "../../../src/auth/socket-tokens/create-socket-token.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, keyCtx, userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { recordStatements } from "../../support/recorded-statements.ts";

const NOW = new Date("2100-01-01T00:00:00.000Z");

let quiet: QuietServices;
let system: Ctx;

beforeAll(async () => {
  quiet = await openQuietServices();
  system = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
});

afterAll(() => quiet.close());

const findKey = () => system.db.apiKey.findFirstOrThrow({ where: { primary: true } });

async function byKey(): Promise<Ctx> {
  return Object.assign(keyCtx(quiet, system, await findKey()), { now: NOW });
}

describe("createSocketToken", () => {
  it("mints a token for 600 seconds, with all scopes or some", async () => {
    const ctx = await byKey();
    const { socketToken, secret, expiresInSeconds } = await createSocketToken(ctx, {});
    expect(secret).toMatch(/^ags_/);
    expect(expiresInSeconds).toBe(600);
    expect(socketToken).toMatchObject({
      ...{ createdAt: NOW, expiresAt: new Date(NOW.getTime() + 600_000), singleUse: false, usedAt: null },
      scopes: ctx.actor.type === "agent" ? [...ctx.actor.scopes].toSorted() : [],
    });
    const { socketToken: narrow } = await createSocketToken(ctx, { scopes: ["tasks:read"], singleUse: true });
    expect(narrow).toMatchObject({ scopes: ["tasks:read"], singleUse: true });
  });

  it("mints none that outlives its key", async () => {
    const ctx = await byKey();
    const expiresAt = new Date(NOW.getTime() + 90_000);
    await system.db.apiKey.updateMany({ where: { primary: true }, data: { expiresAt } });
    const minted = await createSocketToken(ctx, {});
    expect(minted).toMatchObject({ expiresInSeconds: 90, socketToken: { expiresAt } });
    ctx.now = expiresAt;
    expect(await getErrorCode(createSocketToken(ctx, {}))).toBe("invalid_token");
    await system.db.apiKey.updateMany({ where: { primary: true }, data: { expiresAt: null } });
  });

  it("looks its key up once", async () => {
    const { services, asked } = recordStatements(quiet.services);
    await createSocketToken(openCtx(services, keyCtx(quiet, system, await findKey())), {});
    expect(asked).toHaveLength(1);
  });

  it("rejects anyone but an agent", async () => {
    expect(await getErrorCode(createSocketToken(system, {}))).toBe("forbidden");
    expect(await getErrorCode(createSocketToken(userCtx(quiet, system.workspaceId, "owner"), {}))).toBe(
      "forbidden",
    );
  });
});

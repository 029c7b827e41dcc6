import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confirmPassword } from "../../../src/auth/sessions/confirm-password.ts";
import { listSessions } from "../../../src/auth/sessions/list-sessions.ts";
import { logOut, logOutEverywhere, revokeOtherSessions } from "../../../src/auth/sessions/log-out.ts";
import { revokeSession } from "../../../src/auth/sessions/revoke-session.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  type TestPerson,
  SEEN,
  askWhoAmI,
  buildCookie,
  createPerson,
  logInAs,
  beginTestSession,
} from "../../support/people.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

async function person(fields: Parameters<typeof createPerson>[2] = {}): Promise<TestPerson> {
  return createPerson(world.server, world.workspaceId, fields);
}

async function openOwnCtx(token: string): Promise<Ctx> {
  return openSessionCtx(world.server, token);
}

async function isSessionValid(token: string): Promise<boolean> {
  return (await askWhoAmI(second, buildCookie(token))).status === 200;
}

describe("logOut", () => {
  it("ends the browser's session and those it was reissued from, on every node", async () => {
    const who = await person();
    const [token, other] = [
      await beginTestSession(world.server, who),
      await beginTestSession(world.server, who),
    ];
    await logOut(await openOwnCtx(token));
    expect(await isSessionValid(token)).toBe(false);
    expect(await isSessionValid(other)).toBe(true);
    const revocations = await world.server.database.query(
      "SELECT r.reason FROM revocation r JOIN event e ON e.subject_id = r.subject_id AND e.type = 'session.ended' WHERE r.kind = 'session' AND e.data ->> 'user_id' = $1",
      [who.id],
    );
    expect(revocations).toEqual([{ reason: "logged_out" }]);
  });

  it("ends every browser's session with `everywhere`", async () => {
    const who = await person();
    const tokens = [await beginTestSession(world.server, who), await beginTestSession(world.server, who)];
    await logOutEverywhere(await openOwnCtx(tokens[0] ?? ""));
    expect(await Promise.all(tokens.map(isSessionValid))).toEqual([false, false]);
  });

  it("rejects anyone but a user", async () => {
    expect(await getErrorCode(logOut(world.ctx))).toBe("forbidden");
    expect(await getErrorCode(listSessions(world.ctx))).toBe("forbidden");
    expect(await getErrorCode(revokeOtherSessions(world.ctx))).toBe("forbidden");
  });
});

describe("listSessions", () => {
  it("lists each browser once, the caller's own first, without tokens", async () => {
    const who = await person();
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent: "A phone", ip: "192.0.2.30" } });
    const ctx = await openOwnCtx(await beginTestSession(world.server, who, { remember: true }));
    const sessions = await listSessions(ctx);
    expect(sessions).toMatchObject([
      { current: true, userAgent: "A browser of a test", remembered: true },
      { current: false, userAgent: "A phone", ip: "192.0.2.30", remembered: false },
    ]);
    expect(Object.keys(sessions[0] ?? {}).toSorted()).toEqual([
      ...[
        "authenticatedAt",
        "createdAt",
        "current",
        "expiresAt",
        "id",
        "ip",
        "lastSeenAt",
        "mfaAt",
        "remembered",
        "userAgent",
      ],
    ]);
  });
});

describe("revokeSession", () => {
  it("logs one other browser out", async () => {
    const who = await person();
    const [own, other] = [
      await beginTestSession(world.server, who),
      await beginTestSession(world.server, who),
    ];
    const ctx = await openOwnCtx(own);
    const [, session] = await listSessions(ctx);
    await revokeSession(ctx, session?.id ?? "");
    expect([await isSessionValid(own), await isSessionValid(other)]).toEqual([true, false]);
  });

  it("finds no session of another user and no ended one", async () => {
    const [one, two] = [await person(), await person()];
    const ctx = await openOwnCtx(await beginTestSession(world.server, one));
    const [session] = await listSessions(await openOwnCtx(await beginTestSession(world.server, two)));
    expect(await getErrorCode(revokeSession(ctx, session?.id ?? ""))).toBe("not_found");
    expect(await getErrorCode(revokeSession(ctx, crypto.randomUUID()))).toBe("not_found");
  });
});

describe("revokeOtherSessions", () => {
  it("keeps this browser and ends all others", async () => {
    const who = await person();
    const [own, ...others] = [
      await beginTestSession(world.server, who),
      await beginTestSession(world.server, who),
      await beginTestSession(world.server, who),
    ];
    await revokeOtherSessions(await openOwnCtx(own ?? ""));
    expect([await isSessionValid(own ?? ""), ...(await Promise.all(others.map(isSessionValid)))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("confirmPassword", () => {
  it("renews sudo, which a reissue doesn't", async () => {
    const who = await person();
    const token = await beginTestSession(world.server, who);
    await world.server.database.query(
      "UPDATE users_tokens SET authenticated_at = now() - interval '21 minutes' WHERE user_id = $1",
      [who.id],
    );
    const ctx = await openOwnCtx(token);
    expect(ctx.actor).toMatchObject({ session: { isSudo: false } });
    expect(
      await getErrorCode(
        confirmPassword(ctx, world.server.services, { password: "not the password", code: "" }),
      ),
    ).toBe("validation_failed");
    await confirmPassword(ctx, world.server.services, { password: who.password, code: "" });
    expect((await openOwnCtx(token)).actor).toMatchObject({ session: { isSudo: true } });
  });

  it("rejects even the right password after ten wrong ones", async () => {
    const who = await person();
    const ctx = await openOwnCtx(await beginTestSession(world.server, who));
    for (let index = 0; index < 10; index++)
      await getErrorCode(confirmPassword(ctx, world.server.services, { password: "wrong", code: "" }));
    expect(
      await getErrorCode(confirmPassword(ctx, world.server.services, { password: who.password, code: "" })),
    ).toBe("rate_limited");
  });
});

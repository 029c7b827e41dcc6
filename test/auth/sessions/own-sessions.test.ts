import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confirmPassword } from "../../../src/auth/sessions/confirm-password.ts";
import { listSessions } from "../../../src/auth/sessions/list-sessions.ts";
import { logOut, logOutEverywhere, revokeOtherSessions } from "../../../src/auth/sessions/log-out.ts";
import { revokeSession } from "../../../src/auth/sessions/revoke-session.ts";
import type { Ctx } from "../../../src/domain/context.ts";
import { codeOf } from "../../support/callers.ts";
import {
  type Person,
  SEEN,
  askWhoAmI,
  cookieOf,
  createPerson,
  logInAs,
  tokenOf,
} from "../../support/people.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { ctxOfSession } from "../../support/visitor.ts";
import { type World, createWorld } from "../../support/world.ts";

let world: World;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

async function person(fields: Parameters<typeof createPerson>[2] = {}): Promise<Person> {
  return createPerson(world.server, world.workspaceId, fields);
}

async function ctxOf(token: string): Promise<Ctx> {
  return ctxOfSession(world.server, token);
}

async function isAlive(token: string): Promise<boolean> {
  return (await askWhoAmI(second, cookieOf(token))).status === 200;
}

describe("logOut", () => {
  it("ends the browser's session and those it was reissued from, on every node", async () => {
    const who = await person();
    const [token, other] = [await tokenOf(world.server, who), await tokenOf(world.server, who)];
    await logOut(await ctxOf(token));
    expect(await isAlive(token)).toBe(false);
    expect(await isAlive(other)).toBe(true);
    const revocations = await world.server.database.query(
      "SELECT r.reason FROM revocation r JOIN event e ON e.subject_id = r.subject_id AND e.type = 'session.ended' WHERE r.kind = 'session' AND e.data ->> 'user_id' = $1",
      [who.id],
    );
    expect(revocations).toEqual([{ reason: "logged_out" }]);
  });

  it("everywhere ends every browser's", async () => {
    const who = await person();
    const tokens = [await tokenOf(world.server, who), await tokenOf(world.server, who)];
    await logOutEverywhere(await ctxOf(tokens[0] ?? ""));
    expect(await Promise.all(tokens.map(isAlive))).toEqual([false, false]);
  });

  it("refuses anybody but a person", async () => {
    expect(await codeOf(logOut(world.ctx))).toBe("forbidden");
    expect(await codeOf(listSessions(world.ctx))).toBe("forbidden");
    expect(await codeOf(revokeOtherSessions(world.ctx))).toBe("forbidden");
  });
});

describe("listSessions", () => {
  it("shows each browser once, the caller's own first, and no token material", async () => {
    const who = await person();
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent: "A phone", ip: "192.0.2.30" } });
    const ctx = await ctxOf(await tokenOf(world.server, who, { remember: true }));
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
        "remembered",
        "userAgent",
      ],
    ]);
  });
});

describe("revokeSession", () => {
  it("logs one other browser out", async () => {
    const who = await person();
    const [own, other] = [await tokenOf(world.server, who), await tokenOf(world.server, who)];
    const ctx = await ctxOf(own);
    const [, session] = await listSessions(ctx);
    await revokeSession(ctx, session?.id ?? "");
    expect([await isAlive(own), await isAlive(other)]).toEqual([true, false]);
  });

  it("does not find another person's session, nor one that is gone", async () => {
    const [one, two] = [await person(), await person()];
    const ctx = await ctxOf(await tokenOf(world.server, one));
    const [session] = await listSessions(await ctxOf(await tokenOf(world.server, two)));
    expect(await codeOf(revokeSession(ctx, session?.id ?? ""))).toBe("not_found");
    expect(await codeOf(revokeSession(ctx, crypto.randomUUID()))).toBe("not_found");
  });
});

describe("revokeOtherSessions", () => {
  it("keeps this browser and ends all others", async () => {
    const who = await person();
    const [own, ...others] = [
      await tokenOf(world.server, who),
      await tokenOf(world.server, who),
      await tokenOf(world.server, who),
    ];
    await revokeOtherSessions(await ctxOf(own ?? ""));
    expect([await isAlive(own ?? ""), ...(await Promise.all(others.map(isAlive)))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("confirmPassword", () => {
  it("lets a session act again that gave its password long ago, and no reissue does", async () => {
    const who = await person();
    const token = await tokenOf(world.server, who);
    await world.server.database.query(
      "UPDATE users_tokens SET authenticated_at = now() - interval '21 minutes' WHERE user_id = $1",
      [who.id],
    );
    const ctx = await ctxOf(token);
    expect(ctx.actor).toMatchObject({ session: { isSudo: false } });
    expect(await codeOf(confirmPassword(ctx, world.server.services, "not the password"))).toBe(
      "validation_failed",
    );
    await confirmPassword(ctx, world.server.services, who.password);
    expect((await ctxOf(token)).actor).toMatchObject({ session: { isSudo: true } });
  });

  it("refuses the right password too after ten wrong ones", async () => {
    const who = await person();
    const ctx = await ctxOf(await tokenOf(world.server, who));
    for (let index = 0; index < 10; index++)
      await codeOf(confirmPassword(ctx, world.server.services, "wrong"));
    expect(await codeOf(confirmPassword(ctx, world.server.services, who.password))).toBe("rate_limited");
  });
});

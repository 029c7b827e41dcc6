import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSession } from "../../../src/auth/sessions/find-session.ts";
import { reissueSession } from "../../../src/auth/sessions/reissue-session.ts";
import { holdLock } from "../../support/locked-table.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { askWhoAmI, buildCookie, parseSetCookies, beginTestSession } from "../../support/people.ts";
import { DAY, HOUR, type SessionWorld, createSessionWorld, getUserId } from "../../support/session-world.ts";

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
});

afterAll(() => world.close());

async function sessionRows(userId: string) {
  return world.server.database.query<{
    id: string;
    family_id: string;
    remembered: boolean;
    expires_at: Date;
    created_at: Date;
    authenticated_at: Date;
    successor_id: string | null;
  }>("SELECT * FROM users_tokens WHERE user_id = $1 AND context = 'session' ORDER BY created_at, id", [
    userId,
  ]);
}

describe("a session", () => {
  it("is identified by the SHA-256 of its token, which is stored nowhere", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const [row] = await world.server.database.query<{ digest: string }>(
      "SELECT encode(token_digest, 'hex') AS digest FROM users_tokens WHERE user_id = $1",
      [who.id],
    );
    expect(row?.digest).toBe(createHash("sha256").update(token).digest("hex"));
    const [found] = await world.server.database.query<{ everything: string }>(
      `SELECT (SELECT jsonb_agg(e) FROM event e)::text || (SELECT jsonb_agg(a) FROM audit_event a)::text
         || (SELECT jsonb_agg(t) FROM users_tokens t)::text AS everything`,
    );
    expect(found?.everything).not.toContain(token);
  });

  it("is unknown by any other token", async () => {
    const token = await beginTestSession(world.server, await world.person());
    expect(await findSession(world.server.services, token)).toMatchObject({ state: "valid" });
    for (const other of ["", "x", token.slice(1), token.toUpperCase()]) {
      expect(await findSession(world.server.services, other)).toEqual({ state: "unknown" });
    }
  });

  it("is valid for 14 days and not a minute longer", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const [row] = await sessionRows(who.id);
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(14 * DAY);
    const before = await world.nodeIn(14 * DAY - 60_000);
    expect(getUserId(await askWhoAmI(before, buildCookie(token)))).toBe(who.id);
    const after = await world.nodeIn(14 * DAY + 60_000);
    // Only the session reissued by the previous request is left.
    expect((await askWhoAmI(after, buildCookie(token))).status).toBe(401);
  });

  it("is reissued once after seven days, and not before", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const early = await askWhoAmI(await world.nodeIn(7 * DAY - HOUR), buildCookie(token));
    expect(early.headers.getSetCookie()).toEqual([]);
    const node = await world.nodeIn(7 * DAY + 60_000);
    const answers = await Promise.all(Array.from({ length: 30 }, () => askWhoAmI(node, buildCookie(token))));
    expect(answers.map(getUserId)).toEqual(answers.map(() => who.id));
    expect(answers.filter((answer) => answer.headers.getSetCookie().length > 0)).toHaveLength(1);
    expect(await sessionRows(who.id)).toHaveLength(2);
  });

  it("is reissued once for 30 concurrent requests on two nodes", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const at = 8 * DAY;
    const [one, two] = [await world.nodeIn(at), await world.nodeIn(at)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        askWhoAmI(index % 2 === 0 ? one : two, buildCookie(token, token)),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter((answer) => answer.headers.getSetCookie().length > 0)).toHaveLength(1);
    expect(await sessionRows(who.id)).toHaveLength(2);
  });

  it.each([
    ["the account was suspended", "suspended_at = now()"],
    ["the password was changed", "auth_epoch = auth_epoch + 1"],
  ])("is not reissued if %s meanwhile", async (_what, change) => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const ctx = await openSessionCtx(await world.nodeIn(8 * DAY), token);
    await world.server.database.query(`UPDATE "user" SET ${change} WHERE id = $1`, [who.id]);
    expect(await reissueSession(ctx, 90)).toBeNull();
    expect(await sessionRows(who.id)).toMatchObject([{ successor_id: null }]);
  });

  it("keeps its family, its remember-me and the time of the password", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(token, token));
    const { _agent_ops_key: session, _agent_ops_web_user_remember_me: rememberMe } = parseSetCookies(answer);
    expect(rememberMe?.value).toBe(session?.value);
    expect(rememberMe?.attributes).toContain("Max-Age=1209600");
    expect(session?.attributes.some((attribute) => attribute.startsWith("Max-Age"))).toBe(false);
    const [old, next] = await sessionRows(who.id);
    expect(next).toMatchObject({
      family_id: old?.family_id,
      remembered: true,
      authenticated_at: old?.authenticated_at,
    });
    expect(old?.successor_id).toBe(next?.id);
    const { query } = world.server.database;
    const events = await query("SELECT type, subject_type, data FROM event WHERE subject_id = $1", [
      next?.id,
    ]);
    expect(events).toEqual([
      { type: "session.reissued", subject_type: "session", data: { user_id: who.id } },
    ]);
    const audit = await query("SELECT action, changes FROM audit_event WHERE target_id = $1", [next?.id]);
    expect(audit).toEqual([{ action: "session.reissued", changes: { replaces: old?.id } }]);
  });

  it("stays valid for a minute after its successor was first used", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(token));
    const successor = parseSetCookies(answer)["_agent_ops_key"]?.value ?? "";
    expect(getUserId(await askWhoAmI(await world.nodeIn(8 * DAY + 1000), buildCookie(successor)))).toBe(
      who.id,
    );
    const within = await askWhoAmI(await world.nodeIn(8 * DAY + 55_000), buildCookie(token));
    expect(getUserId(within)).toBe(who.id);
    expect(within.headers.getSetCookie()).toEqual([]);
    expect((await askWhoAmI(await world.nodeIn(8 * DAY + 62_000), buildCookie(token))).status).toBe(401);
  });

  it("is reissued again if the response was lost", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(token));
    const [, lost] = await sessionRows(who.id);
    const again = await askWhoAmI(await world.nodeIn(8 * DAY + HOUR), buildCookie(token));
    expect(getUserId(again)).toBe(who.id);
    expect(parseSetCookies(again)["_agent_ops_key"]?.value).toHaveLength(43);
    const rows = await sessionRows(who.id);
    expect(rows).toHaveLength(2);
    expect(rows.some(({ id }) => id === lost?.id)).toBe(false);
  });

  it("ends with its whole family if it is used after being replaced", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const other = await beginTestSession(world.server, who);
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(token));
    const successor = parseSetCookies(answer)["_agent_ops_key"]?.value ?? "";
    await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(successor));
    const later = await world.nodeIn(8 * DAY + HOUR);
    expect((await askWhoAmI(later, buildCookie(token))).status).toBe(401);
    expect((await askWhoAmI(later, buildCookie(successor))).status).toBe(401);
    expect(getUserId(await askWhoAmI(later, buildCookie(other)))).toBe(who.id);
    const [alarm] = await world.server.database.query(
      "SELECT actor FROM audit_event WHERE action = 'session.reuse_detected' AND changes ->> 'user_id' = $1",
      [who.id],
    );
    expect(alarm).toEqual({ actor: { type: "system", id: null, name: "session guard" } });
  });

  it("waits for a lock on its user instead of blocking", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const { query } = world.server.database;
    await query("UPDATE users_tokens SET last_seen_at = now() - interval '2 minutes' WHERE user_id = $1", [
      who.id,
    ]);
    const lock = await holdLock(world.server.database, `SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE`, [
      who.id,
    ]);
    const asked = askWhoAmI(world.server, buildCookie(token));
    await lock.waiters(1);
    await lock.query("DELETE FROM users_tokens WHERE user_id = $1", [who.id]);
    await lock.release();
    expect((await asked).status).toBe(200);
  });

  it("doesn't end its family if another cookie of the request is valid", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who, { remember: true });
    const answer = await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(token, token));
    const successor = parseSetCookies(answer)["_agent_ops_key"]?.value ?? "";
    await askWhoAmI(await world.nodeIn(8 * DAY), buildCookie(successor));
    const later = await world.nodeIn(8 * DAY + HOUR);
    expect(getUserId(await askWhoAmI(later, buildCookie(token, successor)))).toBe(who.id);
    expect(await sessionRows(who.id)).toHaveLength(2);
  });

  it("ends SESSION_MAX_DAYS after the password", async () => {
    const who = await world.person();
    const token = await beginTestSession(world.server, who);
    const node = await world.nodeIn(8 * DAY, { SESSION_MAX_DAYS: "10" });
    const successor = parseSetCookies(await askWhoAmI(node, buildCookie(token)))["_agent_ops_key"];
    expect(successor).toBeUndefined();
    const wide = await world.nodeIn(8 * DAY, { SESSION_MAX_DAYS: "20" });
    await askWhoAmI(wide, buildCookie(token));
    const [old, next] = await sessionRows(who.id);
    expect(Number(next?.expires_at) - Number(old?.created_at)).toBe(20 * DAY);
  });
});

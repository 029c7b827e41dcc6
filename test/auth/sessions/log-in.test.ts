import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClientInfo } from "../../../src/auth/sessions/client-info.ts";
import { countAttempt } from "../../../src/auth/sessions/log-in-attempt.ts";
import { type LogInOutcome, logIn } from "../../../src/auth/sessions/log-in.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { appendAuditRows } from "../../support/audit-rows.ts";
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
import { UNSENT } from "../../support/unsent.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld(UNSENT);
  second = await startOn(world.server.database, UNSENT);
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

async function attempt(input: Partial<Parameters<typeof logIn>[1]>, seen = SEEN): Promise<LogInOutcome> {
  const form = { email: "", password: "", remember: false, workspaceId: null, replaces: null };
  return logIn(world.server.services, { ...form, ...input }, seen);
}

/** Fails this often, by default for as many addresses. Counted like logIn does, but without verifying passwords, which is slow. */
async function countFailures(times: number, seen: ClientInfo, email?: string): Promise<void> {
  for (let index = 0; index < times; index++) {
    await countAttempt(world.server.services, email ?? `${crypto.randomUUID()}@example.com`, seen);
  }
}

async function readEmails(userId: string, kind: string): Promise<unknown[]> {
  return world.server.database.query("SELECT * FROM mail_outbox WHERE user_id = $1 AND kind::text = $2", [
    userId,
    kind,
  ]);
}

describe("logIn", () => {
  it("accepts the password, whatever the address's case and spaces", async () => {
    const who = await person();
    for (const email of [who.email, who.email.toUpperCase(), ` ${who.email} `]) {
      expect((await attempt({ email, password: who.password })).outcome).toBe("in");
    }
  });

  it.each<[string, Partial<TestPerson>]>([
    ["a wrong password", { password: "not the password" }],
    ["an unknown address", { email: "nobody@example.com" }],
    ["an empty password", { password: "" }],
    ["an invalid address", { email: "" }],
    ["NUL in the address", { email: "a\0b@example.com" }],
    ["half a surrogate pair", { email: "\ud800@example.com" }],
    ["an address that SQL could read as a pattern", { email: "%@example.com" }],
  ])("rejects %s", async (_what, wrong) => {
    const who = await person();
    expect(await attempt({ ...who, workspaceId: null, ...wrong })).toEqual({ outcome: "refused" });
  });

  it("rejects suspended users, malformed hashes and users without a password", async () => {
    const [suspended, broken, invited] = [await person(), await person(), await person()];
    await deactivateUser(world.ctx, suspended.id);
    const { query } = world.server.database;
    await query(`UPDATE "user" SET hashed_password = 'broken' WHERE id = $1`, [broken.id]);
    await query(`UPDATE "user" SET hashed_password = NULL WHERE id = $1`, [invited.id]);
    for (const who of [suspended, broken, invited]) expect(await logInAs(world.server, who)).toBeNull();
  });

  it("rejects unconfirmed users if confirmation is required", async () => {
    const who = await person({ confirmed: false });
    expect(await logInAs(world.server, who)).not.toBeNull();
    const strict = await startOn(world.server.database, { ...UNSENT, REQUIRE_CONFIRMED: "1" });
    expect(await logInAs(strict, who)).toBeNull();
    await world.server.database.query(`UPDATE "user" SET confirmed_at = now() WHERE id = $1`, [who.id]);
    expect(await logInAs(strict, who)).not.toBeNull();
    await strict.stop();
  });

  it("asks for the workspace if the password matches several accounts, and uses the chosen one", async () => {
    const other = await world.another();
    const here = await person({ email: "both@example.com" });
    await createPerson(world.server, other.workspaceId, { email: "Both@example.com" });
    const asked = await attempt({ email: here.email, password: here.password });
    expect(asked.outcome === "choose" && asked.workspaces.map(({ id }) => id).toSorted()).toEqual(
      [world.workspaceId, other.workspaceId].toSorted(),
    );
    const chosen = await attempt({ ...here, workspaceId: other.workspaceId });
    const ctx = await openOwnCtx(chosen.outcome === "in" ? chosen.session.token : "");
    expect(ctx.workspaceId).toBe(other.workspaceId);
    expect(await attempt({ ...here, workspaceId: crypto.randomUUID() })).toEqual({ outcome: "refused" });
  });

  it("uses the workspace whose password it is", async () => {
    const other = await world.another();
    const here = await person({ email: "two@example.com", password: "the password of one" });
    const there = await createPerson(world.server, other.workspaceId, {
      email: here.email,
      password: "and of the other",
    });
    expect((await openOwnCtx(await beginTestSession(world.server, here))).workspaceId).toBe(
      world.workspaceId,
    );
    expect((await openOwnCtx(await beginTestSession(world.server, there))).workspaceId).toBe(
      other.workspaceId,
    );
  });

  it("ends the browser's previous session", async () => {
    const who = await person();
    const former = await beginTestSession(world.server, who);
    const result = await attempt({ ...who, workspaceId: null, replaces: await openOwnCtx(former) });
    expect(result.outcome).toBe("in");
    expect(await isSessionValid(former)).toBe(false);
  });

  it("rejects after ten failures for an email address, and after 30 from an IP address, across nodes", async () => {
    const who = await person();
    const seen = { ...SEEN, ip: "192.0.2.7" };
    const wrong = { email: who.email, password: "not the password" };
    const nodes = [world.server, second];
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        logIn(
          (nodes[index % 2] ?? second).services,
          { ...wrong, remember: false, workspaceId: null, replaces: null },
          seen,
        ),
      ),
    );
    expect(await logInAs(second, who, { seen })).toBeNull();
    const other = await person();
    // There have been eleven from that address so far.
    await countFailures(18, seen);
    expect(await logInAs(world.server, other, { seen })).not.toBeNull();
    await countFailures(1, seen);
    expect(await logInAs(world.server, other, { seen })).toBeNull();
    expect(await logInAs(world.server, other, { seen: { ...SEEN, ip: "192.0.2.8" } })).not.toBeNull();
  });

  it("counts failures of an address in any case", async () => {
    const who = await person({ email: `iii-${crypto.randomUUID()}@example.com` });
    const seen = { ...SEEN, ip: "192.0.2.40" };
    await countFailures(10, seen, who.email);
    for (const email of [who.email.toUpperCase(), who.email.replace("i", "\u0130"), ` ${who.email}`]) {
      expect(await logInAs(world.server, { ...who, email }, { seen })).toBeNull();
    }
  });

  it("counts no failure if the password couldn't be verified", async () => {
    const who = await person();
    const { services, database } = world.server;
    const verify = () => Promise.reject(new DomainError("unavailable", "Too many log-ins at this moment."));
    const busy = { ...services, passwords: { ...services.passwords, verify } };
    const input = { ...who, remember: false, workspaceId: null, replaces: null };
    const seen = { ...SEEN, ip: "192.0.2.41" };
    const before = await database.query("SELECT * FROM throttle WHERE cardinality(hits) > 0 ORDER BY key");
    expect(await getErrorCode(logIn(busy, input, seen))).toBe("unavailable");
    expect(await database.query("SELECT * FROM throttle WHERE cardinality(hits) > 0 ORDER BY key")).toEqual(
      before,
    );
  });

  it("verifies no password for an IP address that has failed too often", async () => {
    const { services } = world.server;
    const seen = { ...SEEN, ip: "192.0.2.42" };
    await countFailures(30, seen);
    let verified = 0;
    const verify = async () => ++verified < 0;
    const counting = { ...services, passwords: { ...services.passwords, verify } };
    const input = {
      email: "z@example.com",
      password: "x",
      remember: false,
      workspaceId: null,
      replaces: null,
    };
    expect(await logIn(counting, input, seen)).toEqual({ outcome: "refused" });
    expect(verified).toBe(0);
  });

  it("forgets an address's failures after a success", async () => {
    const who = await person();
    const seen = { ...SEEN, ip: "192.0.2.9" };
    for (let round = 0; round < 3; round++) {
      await countFailures(9, seen, who.email);
      expect(await logInAs(world.server, who, { seen })).not.toBeNull();
    }
  });

  it("writes its event and audit event with the IP address", async () => {
    const who = await person();
    await logInAs(world.server, who, { seen: { ip: "192.0.2.1", userAgent: "Firefox", requestId: "r-1" } });
    const rows = await world.server.database.query(
      "SELECT ip, user_agent, request_id FROM audit_event WHERE action = 'session.created' AND actor ->> 'id' = $1",
      [who.id],
    );
    expect(rows).toEqual([{ ip: "192.0.2.1", user_agent: "Firefox", request_id: "r-1" }]);
    const events = await world.server.database.query(
      "SELECT 1 FROM event WHERE type = 'session.created' AND data ->> 'user_id' = $1",
      [who.id],
    );
    expect(events).toHaveLength(1);
  });

  it("sends an email for a new browser, except the first", async () => {
    const who = await person();
    await logInAs(world.server, who);
    await logInAs(world.server, who);
    expect(await readEmails(who.id, "new_device")).toEqual([]);
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent: "Another browser" } });
    expect(await readEmails(who.id, "new_device")).toMatchObject([
      { sent_to: who.email, data: { userAgent: "Another browser", ip: "127.0.0.1" } },
    ]);
  });

  it("recognises another version of a known browser, but not another system", async () => {
    const who = await person();
    const chrome = (system: string, version: string) =>
      `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
    for (const userAgent of [
      chrome("Macintosh; Intel Mac OS X 10_15_7", "131.0.0.0"),
      chrome("Macintosh; Intel Mac OS X 11_2", "132.0.6834.83"),
    ]) {
      await logInAs(world.server, who, { seen: { ...SEEN, userAgent } });
    }
    expect(await readEmails(who.id, "new_device")).toEqual([]);
    const userAgent = chrome("Windows NT 10.0; Win64; x64", "132.0.6834.83");
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent } });
    expect(await readEmails(who.id, "new_device")).toHaveLength(1);
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent: null } });
    await logInAs(world.server, who, { seen: { ...SEEN, userAgent: null } });
    expect(await readEmails(who.id, "new_device")).toHaveLength(2);
  });

  it("treats a browser as new if the log of earlier ones was deleted, but not for a new user", async () => {
    const { database, createWorkspace } = world.server;
    const { workspaceId } = await createWorkspace();
    const old = await createPerson(world.server, workspaceId, { role: "viewer" });
    await logInAs(world.server, old);
    await appendAuditRows(world.server.systemCtx(workspaceId), 1);
    await database.query(
      `DELETE FROM audit_event WHERE workspace_id = $1 AND seq <
         (SELECT max(seq) FROM audit_event WHERE workspace_id = $1)`,
      [workspaceId],
    );
    const young = await createPerson(world.server, workspaceId, { role: "viewer" });
    await logInAs(world.server, young);
    expect(await readEmails(young.id, "new_device")).toEqual([]);
    await logInAs(world.server, old);
    expect(await readEmails(old.id, "new_device")).toHaveLength(1);
  });

  it("creates no session if the password changed after its check", async () => {
    const who = await person();
    const { services, database } = world.server;
    const passwords = {
      ...services.passwords,
      verify: async (hash: string, password: string) => {
        const isRight = await services.passwords.verify(hash, password);
        await database.query(`UPDATE "user" SET auth_epoch = auth_epoch + 1 WHERE id = $1`, [who.id]);
        return isRight;
      },
    };
    const input = { ...who, remember: false, workspaceId: null, replaces: null };
    expect(await logIn({ ...services, passwords }, input, SEEN)).toEqual({ outcome: "refused" });
    expect(await database.query("SELECT 1 FROM users_tokens WHERE user_id = $1", [who.id])).toEqual([]);
  });
});

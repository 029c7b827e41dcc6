import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverResetEmails } from "../../../src/auth/emails/deliver-reset-emails.ts";
import { isResetLinkValid } from "../../../src/auth/reset/is-reset-link-valid.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockUser } from "../../../src/domain/users/lock-user.ts";
import { setEmail } from "../../../src/domain/users/set-email.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type MailWorld, freshIp, openMailWorld } from "../../support/mail-world.ts";
import { killWhileSending } from "./killed-node.ts";

let world: MailWorld;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.api.reset();
  await world.database.query("DELETE FROM reset_request");
});

async function ask(email: string): Promise<void> {
  await requestReset(world.services, { email, ip: freshIp() });
}

type Waiting = { attempts: number; served: string[]; waitMs: number };

/** The waiting requests, and the time until their next attempt. */
async function waiting(now: Date): Promise<Waiting[]> {
  return world.database.query<Waiting>(
    `SELECT attempts, served_user_ids AS served,
       (EXTRACT(EPOCH FROM next_attempt_at - $1::timestamptz) * 1000)::float8 AS "waitMs" FROM reset_request`,
    [now],
  );
}

async function readDigests(userId: string): Promise<string[]> {
  const rows = await world.database.query<{ digest: string }>(
    "SELECT encode(token_digest, 'hex') AS digest FROM users_tokens WHERE user_id = $1 ORDER BY id",
    [userId],
  );
  return rows.map(({ digest }) => digest);
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

describe("deliverResetEmails", () => {
  it("sends a link to the stored address, with the configured base URL", async () => {
    const member = await world.createMember("Ada.Mixed@Example.com");
    await ask("ada.mixed@example.com");
    expect(await deliverResetEmails(world.services)).toBe(1);
    const [message] = world.api.emails;
    expect(message?.to).toBe("Ada.Mixed@Example.com");
    expect(message?.form["text"]).toContain(`https://ops.example.com/users/reset-password/${message?.token}`);
    expect(await readDigests(member.id)).toEqual([hashToken(message?.token ?? "")]);
    expect(await waiting(new Date())).toEqual([]);
    const audited = "SELECT action FROM audit_event WHERE target_id = $1 AND action LIKE 'user.reset%'";
    expect(await world.database.query(audited, [member.id])).toEqual([{ action: "user.reset_link_sent" }]);
  });

  it("drops a request for an unknown, abandoned or deleted address", async () => {
    const [suspended, gone] = [await world.createMember(), await world.createMember()];
    const halted = await world.createMember();
    await deactivateUser(suspended.ctx, suspended.id);
    await gone.ctx.db.user.updateMany({ where: { id: gone.id }, data: { deletedAt: new Date() } });
    await halted.ctx.db.workspace.updateMany({ data: { suspendedAt: new Date() } });
    for (const email of ["nobody@example.com", suspended.email, gone.email, halted.email]) await ask(email);
    expect(await deliverResetEmails(world.services)).toBe(0);
    expect(world.api.requests).toEqual([]);
    expect(await waiting(new Date())).toEqual([]);
  });

  it("sends one link per account of the address, at most ten: those with a password first, then the oldest", async () => {
    const email = "several@example.com";
    const members = [];
    for (let n = 0; n < 12; n++) members.push(await world.createMember(email));
    const [, second] = members;
    for (const [n, { id, ctx }] of members.entries()) {
      if ([0, 2, 3].includes(n)) {
        await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: null } });
      }
    }
    await second?.ctx.db.workspace.updateMany({ data: { name: "The second" } });
    await ask(email);
    expect(await deliverResetEmails(world.services)).toBe(10);
    expect(new Set(world.api.emails.map(({ token }) => token)).size).toBe(10);
    expect(world.api.emails.filter(({ form }) => form["text"]?.includes("“The second”"))).toHaveLength(1);
    const held = await Promise.all(members.map(async ({ id }) => (await readDigests(id)).length));
    expect(held).toEqual([1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("retries after an outage with growing delays, and leaves one link: the one that arrived", async () => {
    const member = await world.createMember();
    await ask(member.email);
    world.api.answer("broken");
    let now = new Date(Date.now() + 1000);
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 640]) {
      expect(await deliverResetEmails(world.at(now))).toBe(0);
      expect(await readDigests(member.id)).toEqual([]);
      expect(await waiting(now)).toMatchObject([{ waitMs: seconds * 1000 }]);
      const early = new Date(now.getTime() + seconds * 1000 - 1);
      expect(await deliverResetEmails(world.at(early))).toBe(0);
      now = new Date(early.getTime() + 1);
    }
    expect(world.api.requests).toHaveLength(9);
    expect(new Set(world.api.requests.map(({ token }) => token)).size).toBe(9);
    world.api.answer("taken");
    expect(await deliverResetEmails(world.at(now))).toBe(1);
    const token = world.api.emails[0]?.token ?? "";
    expect(await readDigests(member.id)).toEqual([hashToken(token)]);
    expect(await isResetLinkValid(world.at(now), token)).toBe(true);
    expect(world.logged.join("")).toContain("a reset email could not be sent");
    for (const { token: each } of world.api.requests) expect(world.logged.join("")).not.toContain(each);
    expect(world.logged.join("")).not.toContain(member.email);
  });

  it("gives up after 60 minutes", async () => {
    const member = await world.createMember();
    const start = new Date();
    await requestReset(world.at(start), { email: member.email, ip: freshIp() });
    expect(await deliverResetEmails(world.at(new Date(start.getTime() + 3_600_000)))).toBe(0);
    expect(world.api.requests).toEqual([]);
    expect(await deliverResetEmails(world.at(new Date(start.getTime() + 3_599_999)))).toBe(1);
  });

  it("retries only for the account whose email failed", async () => {
    const email = "two@example.com";
    const [first, second] = [await world.createMember(email), await world.createMember(email)];
    await ask(email);
    let requests = 0;
    world.api.answer(() => (++requests === 1 ? "broken" : "taken"));
    const now = new Date(Date.now() + 1000);
    expect(await deliverResetEmails(world.at(now))).toBe(1);
    expect(await waiting(now)).toMatchObject([{ attempts: 1, served: [second.id] }]);
    expect(await deliverResetEmails(world.at(new Date(now.getTime() + 5000)))).toBe(1);
    expect(world.api.emails).toHaveLength(2);
    for (const { id } of [first, second]) expect(await readDigests(id)).toHaveLength(1);
  });

  it("sends no link to users suspended or with another address since the request", async () => {
    const [suspended, moved] = [await world.createMember(), await world.createMember()];
    await ask(suspended.email);
    await ask(moved.email);
    await deactivateUser(suspended.ctx, suspended.id);
    await moved.ctx.transaction(async (tx) => {
      await lockUser(tx, moved.id);
      await setEmail(tx, moved.id, `moved-${moved.email}`);
    });
    expect(await deliverResetEmails(world.services)).toBe(0);
    expect(world.api.requests).toEqual([]);
  });

  it("sends each email once if two nodes deliver concurrently", async () => {
    const members = [];
    for (let n = 0; n < 25; n++) members.push(await world.createMember());
    for (const { email } of members) await ask(email);
    const { services, second } = world;
    const locked = await lockTable(world.database, "reset_request");
    const delivering = Promise.all(
      [services, second, services, second].map((node) => deliverResetEmails(node)),
    );
    await locked.waiters(4);
    await locked.release();
    const counts = await delivering;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(world.api.emails.map(({ to }) => to).toSorted()).toEqual(
      members.map(({ email }) => email).toSorted(),
    );
  }, 60_000);

  it("retries a request a minute after its node was killed", async () => {
    const member = await world.createMember();
    await ask(member.email);
    const before = Date.now();
    await killWhileSending(world, 1);
    expect(await deliverResetEmails(world.services)).toBe(0);
    expect(await deliverResetEmails(world.at(new Date(before + 59_000)))).toBe(0);
    const later = world.at(new Date(Date.now() + 60_000));
    expect(await deliverResetEmails(later)).toBe(1);
    expect(await isResetLinkValid(world.services, world.api.emails[0]?.token ?? "")).toBe(true);
  }, 60_000);
});

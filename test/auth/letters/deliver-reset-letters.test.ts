import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverResetLetters } from "../../../src/auth/letters/deliver-reset-letters.ts";
import { isResetLinkAlive } from "../../../src/auth/reset/is-reset-link-alive.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockUser } from "../../../src/domain/users/lock-user.ts";
import { setEmail } from "../../../src/domain/users/set-email.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type PostOffice, freshIp, openPostOffice } from "../../support/post-office.ts";
import { killWhileSending } from "./killed-node.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
});

afterAll(() => office.close());

beforeEach(async () => {
  office.api.reset();
  await office.database.query("DELETE FROM reset_request");
});

async function ask(email: string): Promise<void> {
  await requestReset(office.services, { email, ip: freshIp() });
}

type Waiting = { attempts: number; served: string[]; waitMs: number };

/** The requests that still wait, and for how long after a time. */
async function waiting(now: Date): Promise<Waiting[]> {
  return office.database.query<Waiting>(
    `SELECT attempts, served_user_ids AS served,
       (EXTRACT(EPOCH FROM next_attempt_at - $1::timestamptz) * 1000)::float8 AS "waitMs" FROM reset_request`,
    [now],
  );
}

async function digestsOf(userId: string): Promise<string[]> {
  const rows = await office.database.query<{ digest: string }>(
    "SELECT encode(token_digest, 'hex') AS digest FROM users_tokens WHERE user_id = $1 ORDER BY id",
    [userId],
  );
  return rows.map(({ digest }) => digest);
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

describe("deliverResetLetters", () => {
  it("mails a link to the address as it is stored, by the address that links are to have", async () => {
    const member = await office.createMember("Ada.Mixed@Example.com");
    await ask("ada.mixed@example.com");
    expect(await deliverResetLetters(office.services)).toBe(1);
    const [letter] = office.api.letters;
    expect(letter?.to).toBe("Ada.Mixed@Example.com");
    expect(letter?.form["text"]).toContain(`https://ops.example.com/users/reset-password/${letter?.token}`);
    expect(await digestsOf(member.id)).toEqual([digestOf(letter?.token ?? "")]);
    expect(await waiting(new Date())).toEqual([]);
    const audited = "SELECT action FROM audit_event WHERE target_id = $1 AND action LIKE 'user.reset%'";
    expect(await office.database.query(audited, [member.id])).toEqual([{ action: "user.reset_link_sent" }]);
  });

  it("forgets a request for an address that nobody has, or that was left or deleted", async () => {
    const [suspended, gone] = [await office.createMember(), await office.createMember()];
    const halted = await office.createMember();
    await deactivateUser(suspended.ctx, suspended.id);
    await gone.ctx.db.user.updateMany({ where: { id: gone.id }, data: { deletedAt: new Date() } });
    await halted.ctx.db.workspace.updateMany({ data: { suspendedAt: new Date() } });
    for (const email of ["nobody@example.com", suspended.email, gone.email, halted.email]) await ask(email);
    expect(await deliverResetLetters(office.services)).toBe(0);
    expect(office.api.requests).toEqual([]);
    expect(await waiting(new Date())).toEqual([]);
  });

  it("mails one link for each account of the address, ten at most: those with a password first, then the oldest", async () => {
    const email = "several@example.com";
    const members = [];
    for (let n = 0; n < 12; n++) members.push(await office.createMember(email));
    const [, second] = members;
    for (const [n, { id, ctx }] of members.entries()) {
      if ([0, 2, 3].includes(n)) {
        await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: null } });
      }
    }
    await second?.ctx.db.workspace.updateMany({ data: { name: "The second" } });
    await ask(email);
    expect(await deliverResetLetters(office.services)).toBe(10);
    expect(new Set(office.api.letters.map(({ token }) => token)).size).toBe(10);
    expect(office.api.letters.filter(({ form }) => form["text"]?.includes("“The second”"))).toHaveLength(1);
    const held = await Promise.all(members.map(async ({ id }) => (await digestsOf(id)).length));
    expect(held).toEqual([1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("tries again after an outage, ever later, and leaves one link: that of the letter that arrived", async () => {
    const member = await office.createMember();
    await ask(member.email);
    office.api.answer("broken");
    let now = new Date(Date.now() + 1000);
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 640]) {
      expect(await deliverResetLetters(office.at(now))).toBe(0);
      expect(await digestsOf(member.id)).toEqual([]);
      expect(await waiting(now)).toMatchObject([{ waitMs: seconds * 1000 }]);
      const early = new Date(now.getTime() + seconds * 1000 - 1);
      expect(await deliverResetLetters(office.at(early))).toBe(0);
      now = new Date(early.getTime() + 1);
    }
    expect(office.api.requests).toHaveLength(9);
    expect(new Set(office.api.requests.map(({ token }) => token)).size).toBe(9);
    office.api.answer("taken");
    expect(await deliverResetLetters(office.at(now))).toBe(1);
    const token = office.api.letters[0]?.token ?? "";
    expect(await digestsOf(member.id)).toEqual([digestOf(token)]);
    expect(await isResetLinkAlive(office.at(now), token)).toBe(true);
    expect(office.logged.join("")).toContain("a reset letter could not be sent");
    for (const { token: each } of office.api.requests) expect(office.logged.join("")).not.toContain(each);
    expect(office.logged.join("")).not.toContain(member.email);
  });

  it("gives up when 60 minutes have passed", async () => {
    const member = await office.createMember();
    const start = new Date();
    await requestReset(office.at(start), { email: member.email, ip: freshIp() });
    expect(await deliverResetLetters(office.at(new Date(start.getTime() + 3_600_000)))).toBe(0);
    expect(office.api.requests).toEqual([]);
    expect(await deliverResetLetters(office.at(new Date(start.getTime() + 3_599_999)))).toBe(1);
  });

  it("mails again only for the account whose letter did not leave", async () => {
    const email = "two@example.com";
    const [first, second] = [await office.createMember(email), await office.createMember(email)];
    await ask(email);
    let requests = 0;
    office.api.answer(() => (++requests === 1 ? "broken" : "taken"));
    const now = new Date(Date.now() + 1000);
    expect(await deliverResetLetters(office.at(now))).toBe(1);
    expect(await waiting(now)).toMatchObject([{ attempts: 1, served: [second.id] }]);
    expect(await deliverResetLetters(office.at(new Date(now.getTime() + 5000)))).toBe(1);
    expect(office.api.letters).toHaveLength(2);
    for (const { id } of [first, second]) expect(await digestsOf(id)).toHaveLength(1);
  });

  it("mails no link to who was suspended, or has moved, since it was asked for", async () => {
    const [suspended, moved] = [await office.createMember(), await office.createMember()];
    await ask(suspended.email);
    await ask(moved.email);
    await deactivateUser(suspended.ctx, suspended.id);
    await moved.ctx.transaction(async (tx) => {
      await lockUser(tx, moved.id);
      await setEmail(tx, moved.id, `moved-${moved.email}`);
    });
    expect(await deliverResetLetters(office.services)).toBe(0);
    expect(office.api.requests).toEqual([]);
  });

  it("sends each letter once where two nodes deliver at once", async () => {
    const members = [];
    for (let n = 0; n < 25; n++) members.push(await office.createMember());
    for (const { email } of members) await ask(email);
    const { services, second } = office;
    const locked = await lockTable(office.database, "reset_request");
    const delivering = Promise.all([services, second, services, second].map(deliverResetLetters));
    await locked.waiters(4);
    await locked.release();
    const counts = await delivering;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(office.api.letters.map(({ to }) => to).toSorted()).toEqual(
      members.map(({ email }) => email).toSorted(),
    );
  }, 60_000);

  it("takes a request up again a minute after the node that had it was killed", async () => {
    const member = await office.createMember();
    await ask(member.email);
    const before = Date.now();
    await killWhileSending(office, 1);
    expect(await deliverResetLetters(office.services)).toBe(0);
    expect(await deliverResetLetters(office.at(new Date(before + 59_000)))).toBe(0);
    const later = office.at(new Date(Date.now() + 60_000));
    expect(await deliverResetLetters(later)).toBe(1);
    expect(await isResetLinkAlive(office.services, office.api.letters[0]?.token ?? "")).toBe(true);
  }, 60_000);
});

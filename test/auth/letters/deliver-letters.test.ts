import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverLetters } from "../../../src/auth/letters/deliver-letters.ts";
import { type DueLetter, queueLetter } from "../../../src/domain/letters/queue-letter.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type Member, type PostOffice, openPostOffice } from "../../support/post-office.ts";
import { killWhileSending } from "./killed-node.ts";

const FROM = { ip: "192.0.2.7", userAgent: null };

let office: PostOffice;
let member: Member;

beforeAll(async () => {
  office = await openPostOffice();
});

afterAll(() => office.close());

beforeEach(async () => {
  office.api.reset();
  await office.database.query("DELETE FROM mail_outbox");
  member = await office.createMember();
});

type Content = Pick<DueLetter, "kind" | "data">;

async function queue({ kind, data }: Content, sentTo = member.email, authEpoch = 0): Promise<void> {
  // The caller pairs each kind with its data.
  const letter = { userId: member.id, sentTo, authEpoch, kind, data } as DueLetter;
  await member.ctx.transaction((tx) => queueLetter(tx, letter));
}

const INVITATION: Content = { kind: "invitation", data: { invitedBy: "Grace" } };
const CHANGE: Content = { kind: "email_change", data: {} };

async function outbox(): Promise<{ attempts: number }[]> {
  return office.database.query("SELECT attempts FROM mail_outbox");
}

async function linksOf(userId: string): Promise<object[]> {
  return office.database.query(
    `SELECT context, sent_to, (EXTRACT(EPOCH FROM expires_at - created_at) / 3600)::int AS hours
     FROM users_tokens WHERE user_id = $1`,
    [userId],
  );
}

describe("deliverLetters", () => {
  it.each<[Content, string, string]>([
    [{ kind: "password_changed", data: FROM }, "Your password was changed", "/users/forgot-password"],
    [{ kind: "new_device", data: FROM }, "A log-in from a new browser", "/settings/sessions"],
    [{ kind: "email_changed", data: { ...FROM, newEmail: "n***@e***.com" } }, "was changed", "n***@e***.com"],
    [CHANGE, "Confirm your new e-mail address", "/users/confirm-email/"],
    [INVITATION, "You are invited to “Acme”", "/users/invitation/"],
  ])("sends what is due, once: %j", async (content, subject, told) => {
    await queue(content, "reader@example.com");
    expect(await deliverLetters(office.services)).toBe(1);
    expect(office.api.letters).toHaveLength(1);
    expect(office.api.letters[0]?.to).toBe("reader@example.com");
    expect(office.api.letters[0]?.form["subject"]).toContain(subject);
    expect(office.api.letters[0]?.form["text"]).toContain(told);
    expect(await outbox()).toEqual([]);
    expect(await deliverLetters(office.services)).toBe(0);
  });

  it("makes a link of its own kind, for seven days or for 24 hours", async () => {
    await queue(INVITATION);
    await deliverLetters(office.services);
    const invitation = { context: "invitation", sent_to: member.email, hours: 168 };
    expect(await linksOf(member.id)).toEqual([invitation]);
    await queue(CHANGE, "new@example.com");
    await deliverLetters(office.services);
    const change = { context: "email_change", sent_to: "new@example.com", hours: 24 };
    expect(await linksOf(member.id)).toEqual(expect.arrayContaining([invitation, change]));
  });

  it("sends no link to who has a new password, is suspended, or was deleted since", async () => {
    await queue(INVITATION);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { authEpoch: 1 } });
    expect(await deliverLetters(office.services)).toBe(0);
    expect(await outbox()).toEqual([]);
    await queue(INVITATION, member.email, 1);
    await deactivateUser(member.ctx, member.id);
    expect(await deliverLetters(office.services)).toBe(0);
    expect(office.api.requests).toEqual([]);
    expect(await linksOf(member.id)).toEqual([]);
  });

  it("tries again after an outage with a new link, and leaves the one that arrived", async () => {
    await queue(INVITATION);
    office.api.answer("broken");
    const now = new Date(Date.now() + 1000);
    expect(await deliverLetters(office.at(now))).toBe(0);
    expect(await linksOf(member.id)).toEqual([]);
    expect(await outbox()).toEqual([{ attempts: 1 }]);
    office.api.answer("taken");
    expect(await deliverLetters(office.at(new Date(now.getTime() + 4999)))).toBe(0);
    expect(await deliverLetters(office.at(new Date(now.getTime() + 5000)))).toBe(1);
    expect(await linksOf(member.id)).toHaveLength(1);
    const [lost, arrived] = office.api.requests;
    expect(lost?.token).not.toBe(arrived?.token);
    expect(await outbox()).toEqual([]);
  });

  it("gives up when 24 hours have passed", async () => {
    await queue(INVITATION);
    const [row] = await office.database.query<{ at: Date }>("SELECT created_at AS at FROM mail_outbox");
    const after = (ms: number) => office.at(new Date((row?.at.getTime() ?? 0) + ms));
    expect(await deliverLetters(after(86_400_000))).toBe(0);
    expect(office.api.requests).toEqual([]);
    expect(await deliverLetters(after(86_399_999))).toBe(1);
  });

  it("does not let one letter that is refused hold up the others", async () => {
    office.api.answer(({ to }) => (to === "refused@example.com" ? "broken" : "taken"));
    for (let n = 0; n < 12; n++) await queue(CHANGE, n === 3 ? "refused@example.com" : `${n}@example.com`);
    expect(await deliverLetters(office.services)).toBe(11);
    expect(await outbox()).toEqual([{ attempts: 1 }]);
  });

  it("sends each letter once where two nodes deliver at once", async () => {
    for (let n = 0; n < 25; n++) await queue(CHANGE, `${n}@example.com`);
    const { services, second } = office;
    const locked = await lockTable(office.database, "mail_outbox");
    const delivering = Promise.all([services, second, services, second].map(deliverLetters));
    await locked.waiters(4);
    await locked.release();
    const counts = await delivering;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(new Set(office.api.requests.map(({ to }) => to)).size).toBe(25);
    expect(office.api.requests).toHaveLength(25);
  });

  it("takes a letter up again a minute after the node that had it was killed", async () => {
    await queue(INVITATION);
    const before = Date.now();
    await killWhileSending(office, 1);
    expect(await deliverLetters(office.services)).toBe(0);
    expect(await deliverLetters(office.at(new Date(before + 59_000)))).toBe(0);
    expect(await deliverLetters(office.at(new Date(Date.now() + 60_000)))).toBe(1);
    expect(await outbox()).toEqual([]);
  }, 60_000);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { EmailKind } from "../../../src/db/generated/enums.ts";
import { type DueEmail, queueEmail } from "../../../src/domain/emails/queue-email.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockTable } from "../../support/locked-table.ts";
import { explainAsked, recordStatements } from "../../support/recorded-statements.ts";
import { type MailMember, type MailWorld, openMailWorld } from "../../support/mail-world.ts";
import { killWhileSending } from "./killed-node.ts";

const FROM = { ip: "192.0.2.7", userAgent: null };

let world: MailWorld;
let member: MailMember;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.api.reset();
  await world.database.query("DELETE FROM mail_outbox");
  member = await world.createMember();
});

type Content = Pick<DueEmail, "kind" | "data">;

async function queue({ kind, data }: Content, sentTo = member.email, authEpoch = 0): Promise<void> {
  // The caller pairs each kind with its data.
  const message = { userId: member.id, sentTo, authEpoch, kind, data } as DueEmail;
  await member.ctx.transaction((tx) => queueEmail(tx, message));
}

const KINDS = Object.keys(EmailKind).length;

const INVITATION: Content = { kind: "invitation", data: { invitedBy: "Grace" } };
const CHANGE: Content = { kind: "email_change", data: {} };

/** How many emails were sent before the first one to an address. */
function placeOf(address: string): number {
  return world.api.requests.findIndex(({ to }) => to === address);
}

async function outbox(): Promise<{ attempts: number }[]> {
  return world.database.query("SELECT attempts FROM mail_outbox");
}

async function readLinks(userId: string): Promise<object[]> {
  return world.database.query(
    `SELECT context, sent_to, (EXTRACT(EPOCH FROM expires_at - created_at) / 3600)::int AS hours
     FROM users_tokens WHERE user_id = $1`,
    [userId],
  );
}

const ID = "01234567-89ab-7cde-8f01-23456789abcd";

describe("deliverEmails", () => {
  it.each<[Content, string, string]>([
    [{ kind: "password_changed", data: FROM }, "Your password was changed", "/users/forgot-password"],
    [{ kind: "new_device", data: FROM }, "A log-in from a new browser", "/settings/security"],
    [
      { kind: "second_factor", data: { ...FROM, news: "added" } },
      "A second factor was added",
      "/settings/security",
    ],
    [{ kind: "email_changed", data: { ...FROM, newEmail: "n***@e***.com" } }, "was changed", "n***@e***.com"],
    [
      { kind: "break_glass_used", data: { ...FROM, usedBy: "Grace" } },
      "An owner logged in without the company's account",
      "Grace logged in to the workspace “Acme” with a password",
    ],
    [
      { kind: "webhook_disabled", data: { endpointId: ID, host: "example.com", because: "failed" } },
      "A webhook was disabled",
      `/settings/webhooks/${ID}`,
    ],
    [CHANGE, "Confirm your new email address", "/users/confirm-email/"],
    [INVITATION, "You are invited to “Acme”", "/users/invitation/"],
  ])("sends each due email once: %j", async (content, subject, expected) => {
    await queue(content, "reader@example.com");
    expect(await deliverEmails(world.services)).toBe(1);
    expect(world.api.emails).toHaveLength(1);
    expect(world.api.emails[0]?.to).toBe("reader@example.com");
    expect(world.api.emails[0]?.form["subject"]).toContain(subject);
    expect(world.api.emails[0]?.form["text"]).toContain(expected);
    expect(await outbox()).toEqual([]);
    expect(await deliverEmails(world.services)).toBe(0);
  });

  it("creates a link of the right kind, for seven days or 24 hours", async () => {
    await queue(INVITATION);
    await deliverEmails(world.services);
    const invitation = { context: "invitation", sent_to: member.email, hours: 168 };
    expect(await readLinks(member.id)).toEqual([invitation]);
    await queue(CHANGE, "new@example.com");
    await deliverEmails(world.services);
    const change = { context: "email_change", sent_to: "new@example.com", hours: 24 };
    expect(await readLinks(member.id)).toEqual(expect.arrayContaining([invitation, change]));
  });

  it("sends no link to users with a new password, or suspended or deleted since", async () => {
    await queue(INVITATION);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { authEpoch: 1 } });
    expect(await deliverEmails(world.services)).toBe(0);
    expect(await outbox()).toEqual([]);
    await queue(INVITATION, member.email, 1);
    await deactivateUser(member.ctx, member.id);
    expect(await deliverEmails(world.services)).toBe(0);
    expect(world.api.requests).toEqual([]);
    expect(await readLinks(member.id)).toEqual([]);
  });

  it("retries after an outage with a new link, and keeps the one that arrived", async () => {
    await queue(INVITATION);
    world.api.answer("broken");
    const now = new Date(Date.now() + 1000);
    expect(await deliverEmails(world.at(now))).toBe(0);
    expect(await readLinks(member.id)).toEqual([]);
    expect(await outbox()).toEqual([{ attempts: 1 }]);
    world.api.answer("taken");
    expect(await deliverEmails(world.at(new Date(now.getTime() + 4999)))).toBe(0);
    expect(await deliverEmails(world.at(new Date(now.getTime() + 5000)))).toBe(1);
    expect(await readLinks(member.id)).toHaveLength(1);
    const [lost, arrived] = world.api.requests;
    expect(lost?.token).not.toBe(arrived?.token);
    expect(await outbox()).toEqual([]);
  });

  it("gives up after 24 hours", async () => {
    await queue(INVITATION);
    const [row] = await world.database.query<{ at: Date }>("SELECT created_at AS at FROM mail_outbox");
    const after = (ms: number) => world.at(new Date((row?.at.getTime() ?? 0) + ms));
    expect(await deliverEmails(after(86_400_000))).toBe(0);
    expect(world.api.requests).toEqual([]);
    expect(await deliverEmails(after(86_399_999))).toBe(1);
  });

  it("continues with other emails if one is rejected", async () => {
    world.api.answer(({ to }) => (to === "refused@example.com" ? "broken" : "taken"));
    for (let n = 0; n < 12; n++) await queue(CHANGE, n === 3 ? "refused@example.com" : `${n}@example.com`);
    expect(await deliverEmails(world.services)).toBe(11);
    expect(await outbox()).toEqual([{ attempts: 1 }]);
  });

  it("sends each email once if two nodes deliver concurrently", async () => {
    for (let n = 0; n < 25; n++) await queue(CHANGE, `${n}@example.com`);
    const { services, second } = world;
    const locked = await lockTable(world.database, "mail_outbox");
    const delivering = Promise.all([services, second, services, second].map((node) => deliverEmails(node)));
    await locked.waiters(4);
    await locked.release();
    const counts = await delivering;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(new Set(world.api.requests.map(({ to }) => to)).size).toBe(25);
    expect(world.api.requests).toHaveLength(25);
  });

  it("sends another workspace's email in its turn, not after a flood", async () => {
    for (let n = 0; n < 60; n++) await queue(INVITATION, `${n}@example.com`);
    member = await world.createMember();
    await queue(INVITATION);
    expect(await deliverEmails(world.services)).toBe(61);
    expect(placeOf(member.email)).toBeLessThan(20);
  });

  it("sends what is urgent before a workspace's invitations", async () => {
    for (let n = 0; n < 60; n++) await queue(INVITATION, `${n}@example.com`);
    await queue({ kind: "password_changed", data: FROM });
    await queue(CHANGE, "new@example.com");
    expect(await deliverEmails(world.services)).toBe(62);
    expect(placeOf(member.email)).toBeLessThan(10);
    expect(placeOf("new@example.com")).toBeLessThan(10);
  });

  it("finds the next emails by an index, however many wait", async () => {
    const insert = (who: MailMember, kind: string, [count, due]: [number, string]) =>
      world.database.query(
        `INSERT INTO mail_outbox (workspace_id, id, user_id, kind, sent_to, auth_epoch, next_attempt_at)
         SELECT $1, gen_random_uuid(), $2, $3::email_kind, 'x@example.com', 0, now() + $5::interval + n * interval '1 ms'
         FROM generate_series(1, $4::int) n`,
        [who.workspaceId, who.id, kind, count, due],
      );
    await insert(await world.createMember(), "invitation", [3000, "-1 hour"]);
    await insert(member, "invitation", [3000, "-1 hour"]);
    // Emails that wait for another attempt.
    await insert(member, "new_device", [20_000, "1 hour"]);
    await world.database.query("ANALYZE mail_outbox");
    const { services, asked } = recordStatements(world.services);
    const stopping = new AbortController();
    world.api.answer(() => {
      stopping.abort();
      return "taken";
    });
    await deliverEmails({ ...world.services, ...services, stopping: stopping.signal });
    const [due] = asked;
    const hold = asked.find(({ values }) => values[0] === member.workspaceId);
    if (due === undefined || hold === undefined) throw new Error("no email was looked for");
    for (const statement of [due, hold]) {
      for (const mode of ["custom", "generic"] as const) {
        const [root, ...nodes] = await explainAsked(world.database, statement, mode);
        // The kinds of emails are rows too.
        expect(nodes.filter((node) => node["Actual Rows"] > KINDS)).toEqual([]);
        expect(root["Shared Hit Blocks"] + root["Shared Read Blocks"]).toBeLessThan(150);
      }
    }
  });

  it("retries an email a minute after its node was killed", async () => {
    await queue(INVITATION);
    const before = Date.now();
    await killWhileSending(world, 1);
    expect(await deliverEmails(world.services)).toBe(0);
    expect(await deliverEmails(world.at(new Date(before + 59_000)))).toBe(0);
    expect(await deliverEmails(world.at(new Date(Date.now() + 60_000)))).toBe(1);
    expect(await outbox()).toEqual([]);
  }, 60_000);
});

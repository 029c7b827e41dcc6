import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { startEmailDelivery } from "../../../src/auth/emails/start-email-delivery.ts";
import { queueEmail } from "../../../src/domain/emails/queue-email.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type MailMember, type MailWorld, freshIp, openMailWorld } from "../../support/mail-world.ts";

let world: MailWorld;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

async function invite({ id: userId, email: sentTo, ctx }: MailMember, times: number): Promise<void> {
  const invitation = {
    userId,
    sentTo,
    authEpoch: 0,
    kind: "invitation",
    data: { invitedBy: "Grace" },
  } as const;
  await ctx.transaction(async (tx) => {
    for (let n = 0; n < times; n++) await queueEmail(tx, invitation);
  });
}

describe("startEmailDelivery", () => {
  it("sends emails in the background, and finishes the current one when stopped", async () => {
    const member = await world.createMember();
    const delivery = startEmailDelivery(world.services);
    await requestReset(world.services, { email: member.email, ip: freshIp() });
    await world.api.requested(1);
    await delivery.stop();
    expect(world.api.emails.map(({ to }) => to)).toEqual([member.email]);
    expect(await world.database.query("SELECT 1 FROM reset_request")).toEqual([]);
  });

  it("starts no more attempts when the server stops, however many emails are due", async () => {
    const members = await Promise.all(Array.from({ length: 25 }, () => world.createMember()));
    for (const { id: userId, email: sentTo, ctx } of members) {
      const data = { ip: null, userAgent: null };
      await ctx.transaction((tx) =>
        queueEmail(tx, { userId, sentTo, authEpoch: 0, kind: "new_device", data }),
      );
      await requestReset(world.services, { email: sentTo, ip: freshIp() });
    }
    world.api.reset();
    const delivery = startEmailDelivery(world.services);
    await world.api.requested(1);
    await delivery.stop();
    expect(world.api.requests.length).toBeLessThanOrEqual(20);
    expect(world.api.emails).toEqual(world.api.requests);
    const left = "SELECT 1 FROM mail_outbox UNION ALL SELECT 1 FROM reset_request";
    expect(await world.database.query(left)).toHaveLength(50 - world.api.emails.length);
    for (const table of ["mail_outbox", "reset_request"]) await world.database.query(`DELETE FROM ${table}`);
  });

  it("sends the emails of others while those of a workspace can't be sent", async () => {
    const [stuck, ...others] = [
      await world.createMember(),
      await world.createMember(),
      await world.createMember(),
    ];
    await invite(stuck, 25);
    world.api.reset();
    const lock = await holdLock(world.database, `SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE`, [stuck.id]);
    const delivery = startEmailDelivery(world.services);
    await lock.waiters(1);
    for (const [n, other] of others.entries()) {
      await invite(other, 1);
      await world.api.requested(n + 1);
    }
    expect(world.api.emails.map(({ to }) => to)).toEqual(others.map(({ email }) => email));
    await lock.release();
    await world.api.requested(27);
    await delivery.stop();
  });

  it("continues after database errors", async () => {
    const member = await world.createMember();
    const { prisma } = world.services.database;
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request RENAME TO reset_request_gone");
    const delivery = startEmailDelivery(world.services);
    await expect.poll(() => world.logged.join("")).toContain("email delivery failed");
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request_gone RENAME TO reset_request");
    const before = world.api.requests.length;
    await requestReset(world.services, { email: member.email, ip: freshIp() });
    await world.api.requested(before + 1);
    await delivery.stop();
    expect(world.api.emails.at(-1)?.to).toBe(member.email);
  });
});

import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { startLetterDelivery } from "../../../src/auth/letters/start-letter-delivery.ts";
import { queueLetter } from "../../../src/domain/letters/queue-letter.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { type PostOffice, freshIp, openPostOffice } from "../../support/post-office.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
});

afterAll(() => office.close());

describe("startLetterDelivery", () => {
  it("sends what is asked for by itself, and when it is stopped has let its last letter leave", async () => {
    const member = await office.createMember();
    const delivery = startLetterDelivery(office.services);
    await requestReset(office.services, { email: member.email, ip: freshIp() });
    await office.api.requested(1);
    await delivery.stop();
    expect(office.api.letters.map(({ to }) => to)).toEqual([member.email]);
    expect(await office.database.query("SELECT 1 FROM reset_request")).toEqual([]);
  });

  it("starts no more attempts when the server stops, however many letters are due", async () => {
    const members = await Promise.all(Array.from({ length: 25 }, () => office.createMember()));
    for (const { id: userId, email: sentTo, ctx } of members) {
      const data = { ip: null, userAgent: null };
      await ctx.transaction((tx) =>
        queueLetter(tx, { userId, sentTo, authEpoch: 0, kind: "new_device", data }),
      );
      await requestReset(office.services, { email: sentTo, ip: freshIp() });
    }
    office.api.reset();
    const delivery = startLetterDelivery(office.services);
    await office.api.requested(1);
    await delivery.stop();
    expect(office.api.requests.length).toBeLessThanOrEqual(20);
    expect(office.api.letters).toEqual(office.api.requests);
    const left = "SELECT 1 FROM mail_outbox UNION ALL SELECT 1 FROM reset_request";
    expect(await office.database.query(left)).toHaveLength(50 - office.api.letters.length);
    for (const table of ["mail_outbox", "reset_request"]) await office.database.query(`DELETE FROM ${table}`);
  });

  it("goes on after the database has failed it", async () => {
    const member = await office.createMember();
    const { prisma } = office.services.database;
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request RENAME TO reset_request_gone");
    const delivery = startLetterDelivery(office.services);
    await expect.poll(() => office.logged.join("")).toContain("could not be delivered");
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request_gone RENAME TO reset_request");
    const before = office.api.requests.length;
    await requestReset(office.services, { email: member.email, ip: freshIp() });
    await office.api.requested(before + 1);
    await delivery.stop();
    expect(office.api.letters.at(-1)?.to).toBe(member.email);
  });
});

import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { startLetterDelivery } from "../../../src/auth/letters/start-letter-delivery.ts";
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

  it("goes on after the database has failed it", async () => {
    const member = await office.createMember();
    const { prisma } = office.services.database;
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request RENAME TO reset_request_gone");
    const delivery = startLetterDelivery(office.services);
    await expect.poll(() => office.logged.join("")).toContain("could not be delivered");
    await prisma.$executeRawUnsafe("ALTER TABLE reset_request_gone RENAME TO reset_request");
    await requestReset(office.services, { email: member.email, ip: freshIp() });
    await office.api.requested(2);
    await delivery.stop();
    expect(office.api.letters.at(-1)?.to).toBe(member.email);
  });
});

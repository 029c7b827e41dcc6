import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverResetLetters } from "../../../src/auth/letters/deliver-reset-letters.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { type PostOffice, freshIp, openPostOffice } from "../../support/post-office.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
});

afterAll(() => office.close());

beforeEach(async () => {
  office.api.reset();
  await office.database.query("DELETE FROM reset_request");
});

let made = 0;

function someEmail(): string {
  return `somebody-${made++}@example.com`;
}

async function noted(): Promise<string[]> {
  const rows = await office.database.query<{ email: string }>("SELECT email FROM reset_request ORDER BY id");
  return rows.map(({ email }) => email);
}

async function ask(email: string, ip = freshIp(), services = office.services): Promise<void> {
  await requestReset(services, { email, ip });
}

describe("requestReset", () => {
  it("notes a request for any address, trimmed and in lower case, and tells nothing", async () => {
    const { email } = await office.createMember();
    const outcomes = [];
    for (const asked of [`  ${email.toUpperCase()} `, "nobody@example.com"]) {
      outcomes.push(await requestReset(office.services, { email: asked, ip: freshIp() }));
    }
    expect(outcomes).toEqual([undefined, undefined]);
    expect(await noted()).toEqual([email, "nobody@example.com"]);
  });

  it.each([
    ...[
      "",
      "no address",
      "ada@",
      "@example.com",
      "a@b,c@d",
      "ada@exa mple.com",
      `${"a".repeat(150)}@example.com`,
    ],
    ...["ada\0@example.com", "ada\ud800@example.com", "x".repeat(1_000_000)],
  ])("takes what is no address (%#) as it takes any other, and notes nothing", async (email) => {
    expect(await requestReset(office.services, { email, ip: freshIp() })).toBeUndefined();
    expect(await noted()).toEqual([]);
  });

  it("notes ten requests from one place within 15 minutes, and tells nothing at the eleventh", async () => {
    const [ip, start] = [freshIp(), Date.now()];
    for (let n = 0; n < 11; n++) await ask(someEmail(), ip, office.at(new Date(start)));
    expect(await noted()).toHaveLength(10);
    await ask(someEmail(), ip, office.at(new Date(start + 899_999)));
    expect(await noted()).toHaveLength(10);
    await ask(someEmail(), ip, office.at(new Date(start + 900_000)));
    expect(await noted()).toHaveLength(11);
  });

  it("notes five requests for one address within 15 minutes, wherever they come from and however it is spelled", async () => {
    const [{ email: known }, unknown] = [await office.createMember(), someEmail()];
    for (const email of [known, unknown]) {
      for (let n = 0; n < 7; n++) await ask(n % 2 === 0 ? email : email.toUpperCase());
    }
    expect(await noted()).toEqual([...Array<string>(5).fill(known), ...Array<string>(5).fill(unknown)]);
    await deliverResetLetters(office.services);
    expect(office.api.letters).toHaveLength(5);
  });

  it("does not count against an address what it refuses a place", async () => {
    const [ip, email] = [freshIp(), someEmail()];
    for (let n = 0; n < 10; n++) await ask(someEmail(), ip);
    for (let n = 0; n < 5; n++) await ask(email, ip);
    for (let n = 0; n < 6; n++) await ask(email);
    expect((await noted()).filter((each) => each === email)).toHaveLength(5);
  });

  it("takes one /64 of IPv6 for one place", async () => {
    for (let n = 0; n < 12; n++) await ask(someEmail(), `2001:db8:0:77::${n}`);
    expect(await noted()).toHaveLength(10);
  });

  it("lets ten through of 60 that come at once from one place to two nodes, and ten letters leave", async () => {
    const members = [];
    const { workspaceId } = await office.createMember();
    for (let n = 0; n < 60; n++) members.push(await office.createMember(someEmail(), { workspaceId }));
    const ip = freshIp();
    await Promise.all(
      members.map(({ email }, n) => ask(email, ip, n % 2 === 0 ? office.services : office.second)),
    );
    expect(await noted()).toHaveLength(10);
    await Promise.all([deliverResetLetters(office.services), deliverResetLetters(office.second)]);
    expect(office.api.letters).toHaveLength(10);
  }, 60_000);
});

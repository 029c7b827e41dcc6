import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverResetEmails } from "../../../src/auth/emails/deliver-reset-emails.ts";
import { requestReset } from "../../../src/auth/reset/request-reset.ts";
import { type MailWorld, freshIp, openMailWorld } from "../../support/mail-world.ts";

let world: MailWorld;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.api.reset();
  await world.database.query("DELETE FROM reset_request");
});

let made = 0;

function someEmail(): string {
  return `somebody-${made++}@example.com`;
}

async function readRequests(): Promise<string[]> {
  const rows = await world.database.query<{ email: string }>("SELECT email FROM reset_request ORDER BY id");
  return rows.map(({ email }) => email);
}

async function ask(email: string, ip = freshIp(), services = world.services): Promise<void> {
  await requestReset(services, { email, ip });
}

describe("requestReset", () => {
  it("stores a request for any address, trimmed and in lower case, and reveals nothing", async () => {
    const { email } = await world.createMember();
    const outcomes = [];
    for (const asked of [`  ${email.toUpperCase()} `, "nobody@example.com"]) {
      outcomes.push(await requestReset(world.services, { email: asked, ip: freshIp() }));
    }
    expect(outcomes).toEqual([undefined, undefined]);
    expect(await readRequests()).toEqual([email, "nobody@example.com"]);
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
  ])("responds alike to an invalid address (%#), and stores nothing", async (email) => {
    expect(await requestReset(world.services, { email, ip: freshIp() })).toBeUndefined();
    expect(await readRequests()).toEqual([]);
  });

  it("stores ten requests per IP address within 15 minutes, and reveals nothing at the eleventh", async () => {
    const [ip, start] = [freshIp(), Date.now()];
    for (let n = 0; n < 11; n++) await ask(someEmail(), ip, world.at(new Date(start)));
    expect(await readRequests()).toHaveLength(10);
    await ask(someEmail(), ip, world.at(new Date(start + 899_999)));
    expect(await readRequests()).toHaveLength(10);
    await ask(someEmail(), ip, world.at(new Date(start + 900_000)));
    expect(await readRequests()).toHaveLength(11);
  });

  it("stores five requests per email address within 15 minutes, from anywhere and in any case", async () => {
    const [{ email: known }, unknown] = [await world.createMember(), someEmail()];
    for (const email of [known, unknown]) {
      for (let n = 0; n < 7; n++) await ask(n % 2 === 0 ? email : email.toUpperCase());
    }
    expect(await readRequests()).toEqual([
      ...Array<string>(5).fill(known),
      ...Array<string>(5).fill(unknown),
    ]);
    await deliverResetEmails(world.services);
    expect(world.api.emails).toHaveLength(5);
  });

  it("doesn't count requests throttled by IP against the email address", async () => {
    const [ip, email] = [freshIp(), someEmail()];
    for (let n = 0; n < 10; n++) await ask(someEmail(), ip);
    for (let n = 0; n < 5; n++) await ask(email, ip);
    for (let n = 0; n < 6; n++) await ask(email);
    expect((await readRequests()).filter((each) => each === email)).toHaveLength(5);
  });

  it("counts one /64 of IPv6 as one IP address", async () => {
    for (let n = 0; n < 12; n++) await ask(someEmail(), `2001:db8:0:77::${n}`);
    expect(await readRequests()).toHaveLength(10);
  });

  it("accepts ten of 60 concurrent requests from one IP address on two nodes, and sends ten emails", async () => {
    const members = [];
    const { workspaceId } = await world.createMember();
    for (let n = 0; n < 60; n++) members.push(await world.createMember(someEmail(), { workspaceId }));
    const ip = freshIp();
    await Promise.all(
      members.map(({ email }, n) => ask(email, ip, n % 2 === 0 ? world.services : world.second)),
    );
    expect(await readRequests()).toHaveLength(10);
    // On a busy machine an attempt may fail, and is repeated.
    const deliver = () => Promise.all([world.services, world.second].map((node) => deliverResetEmails(node)));
    await expect.poll(() => deliver().then(() => readRequests())).toEqual([]);
    expect(world.api.emails).toHaveLength(10);
  }, 60_000);
});

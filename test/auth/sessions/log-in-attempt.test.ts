import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countAttempt } from "../../../src/auth/sessions/log-in-attempt.ts";
import { holdLock, lockTable } from "../../support/locked-table.ts";
import { SEEN, createPerson, logInAs } from "../../support/people.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Fails this often from an IP address. Counted like logIn does, but without verifying passwords, which is slow. */
async function fail(times: number, email: string, ip: string): Promise<void> {
  for (let index = 0; index < times; index++)
    await countAttempt(world.server.services, email, { ...SEEN, ip });
}

describe("failed log-ins", () => {
  it("lock nobody out from other addresses, until too many fail from everywhere", async () => {
    const who = await createPerson(world.server, world.workspaceId, {});
    const seen = { ...SEEN, ip: "192.0.2.51" };
    await fail(30, who.email, "192.0.2.50");
    await fail(30, who.email, "2001:db8::1");
    expect(await logInAs(world.server, who, { seen: { ...SEEN, ip: "192.0.2.50" } })).toBeNull();
    expect(await logInAs(world.server, who, { seen })).not.toBeNull();
    for (let place = 100; place < 110; place++) await fail(10, who.email, `192.0.2.${place}`);
    expect(await logInAs(world.server, who, { seen })).toBeNull();
  });
});

describe("a log-in that succeeds", () => {
  it("takes no failure of somebody else from the count that it has reset", async () => {
    const at = new Date("2100-11-21T10:00:45.678Z");
    const past = await createWorld({}, at);
    const { database, services } = past.server;
    const who = await createPerson(past.server, past.workspaceId, {});
    const accounts = await lockTable(database, '"user"');
    const loggedIn = logInAs(past.server, who);
    // It is counted, and about to read the accounts.
    await accounts.waiters(1);
    const place = await holdLock(
      database,
      "SELECT 1 FROM throttle WHERE key = sha256(convert_to($1, 'UTF8')) FOR UPDATE",
      [`log-in:ip:${SEEN.ip}`],
    );
    await accounts.release();
    // It has reset the failures of the address, and is about to take itself from the IP address's count.
    await place.waiters(1);
    // In the same millisecond.
    await countAttempt(services, who.email, { ...SEEN, ip: "192.0.2.50" });
    await place.release();
    expect(await loggedIn).not.toBeNull();
    const hits = await database.query(
      "SELECT hits FROM throttle WHERE key = sha256(convert_to($1, 'UTF8'))",
      [`log-in:email:${who.email}`],
    );
    expect(hits).toEqual([{ hits: [at] }]);
    await past.server.close();
  });
});

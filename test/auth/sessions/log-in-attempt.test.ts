import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countAttempt } from "../../../src/auth/sessions/log-in-attempt.ts";
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

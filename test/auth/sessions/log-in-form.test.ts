import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { type TestPerson, SEEN, createPerson } from "../../support/people.ts";
import { UNSENT } from "../../support/unsent.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld(UNSENT);
});

afterAll(async () => {
  await world.server.close();
});

describe("logIn", () => {
  it.each<[string, Partial<TestPerson>]>([
    ["an empty form", { email: "", password: "" }],
    ["an empty password", { password: "" }],
    ["an address of blanks", { email: " " }],
    ["an address without @", { email: "ada" }],
    ["NUL in the address", { email: "a\0b@example.com" }],
    ["an address of 161 characters", { email: `${"a".repeat(149)}@example.com` }],
    ["a password of 129 characters", { password: "x".repeat(129) }],
    ["a very long password", { password: "x".repeat(15_000) }],
    ["NUL in the password", { password: "a quiet\0harbour" }],
  ])("neither counts nor verifies %s", async (_what, wrong) => {
    const who = await createPerson(world.server, world.workspaceId);
    const { services, database } = world.server;
    let verified = 0;
    const verify = async () => ++verified < 0;
    const counting = { ...services, passwords: { ...services.passwords, verify } };
    const input = { ...who, remember: false, workspaceId: null, replaces: null, ...wrong };
    const countKeys = () => database.query("SELECT count(*) FROM throttle");
    const before = await countKeys();
    expect(await logIn(counting, input, SEEN)).toEqual({ outcome: "refused" });
    expect(verified).toBe(0);
    expect(await countKeys()).toEqual(before);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPerson } from "../support/people.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { giveFactor } from "../support/test-factors.ts";
import { runCli } from "./run-cli.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("user remove-factors", () => {
  it("removes the second factors of a person who has some", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "owner" });
    const place = ["--workspace", world.workspaceId, "--email", person.email, "--json"];
    const remove = () =>
      runCli(["user", "remove-factors", ...place], { DATABASE_URL: world.server.database.url });
    expect(JSON.parse((await remove()).stdout)).toMatchObject({ error: { code: "invalid_state" } });
    await giveFactor(world.server, person);
    expect(JSON.parse((await remove()).stdout)).toEqual({ user_id: person.id });
    expect(await world.ctx.db.totpFactor.count()).toBe(0);
  });
});

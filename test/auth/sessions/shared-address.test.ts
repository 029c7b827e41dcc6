import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceDirectoryUser } from "../../../src/domain/directory/change-directory-user.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { SEEN, createPerson, logInAs } from "../../support/people.ts";
import { UNSENT } from "../../support/unsent.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld(UNSENT);
});

afterAll(() => world.server.close());

describe("logIn with several accounts for an address", () => {
  it("accepts the user who confirmed the address, whoever else was provisioned with it", async () => {
    const outsiders = [];
    for (let n = 0; n < 3; n++) {
      const { ctx, workspaceId } = await world.another();
      const outsider = await createPerson(world.server, workspaceId, { password: "what a stranger knows" });
      outsiders.push({ ctx, ...outsider });
    }
    const who = await createPerson(world.server, world.workspaceId);
    for (const { ctx, id } of outsiders) {
      const emails = [{ value: who.email, primary: true }];
      await replaceDirectoryUser(ctx, { id }, { userName: "stranger", emails });
    }
    expect(await logInAs(world.server, who)).not.toBeNull();
    for (const { ctx, id } of outsiders) expect((await readUser(ctx, id)).confirmedAt).toBeNull();
    await replaceDirectoryUser(world.ctx, { id: who.id }, { userName: who.email.toUpperCase() });
    expect(await readUser(world.ctx, who.id)).toMatchObject({
      email: who.email.toUpperCase(),
      confirmedAt: expect.any(Date),
    });
  });

  it("keeps counting failures if the password doesn't match every account of the address", async () => {
    const other = await world.another();
    const here = await createPerson(world.server, world.workspaceId, { password: "the password of one" });
    const { email } = here;
    const there = await createPerson(world.server, other.workspaceId, {
      email,
      password: "and of the other",
    });
    const seen = { ...SEEN, ip: "192.0.2.10" };
    const wrong = { email, password: "neither of the two" };
    for (let index = 0; index < 9; index++) await logInAs(world.server, wrong, { seen });
    for (let again = 0; again < 3; again++) {
      expect(await logInAs(world.server, there, { seen })).not.toBeNull();
    }
    await logInAs(world.server, wrong, { seen });
    expect(await logInAs(world.server, here, { seen })).toBeNull();
    expect(await logInAs(world.server, there, { seen })).toBeNull();
  });
});

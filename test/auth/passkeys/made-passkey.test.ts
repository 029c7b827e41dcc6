import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFactors } from "../../../src/auth/factors/read-factors.ts";
import { addPasskey } from "../../../src/auth/passkeys/add-passkey.ts";
import { beginPasskey } from "../../../src/auth/passkeys/begin-passkey.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { SITE, createAuthenticator } from "../../support/authenticator.ts";
import { getErrorCode } from "../../support/callers.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { type TestPerson, createPerson, beginTestSession } from "../../support/people.ts";
import { FACTOR_ENVIRONMENT } from "../../support/second-factor.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { UNSENT } from "../../support/unsent.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ ...UNSENT, ...FACTOR_ENVIRONMENT, PUBLIC_BASE_URL: SITE });
});

afterAll(() => world.server.close());

/** A person in a session. */
async function enter(): Promise<{ person: TestPerson; ctx: Ctx }> {
  const person = await createPerson(world.server, world.workspaceId);
  return { person, ctx: await openSessionCtx(world.server, await beginTestSession(world.server, person)) };
}

describe("what a browser says of a passkey that was made", () => {
  it("refuses certificates of the authenticator, which may name servers to ask", async () => {
    const [{ ctx }, key] = [await enter(), createAuthenticator()];
    const response = key.make({ options: await beginPasskey(ctx), isCertified: true });
    expect(await getErrorCode(addPasskey(ctx, { name: "x", response }))).toBe("validation_failed");
    expect((await readFactors(ctx)).passkeys).toEqual([]);
  });

  it("keeps known ways to the authenticator, and nothing else that a browser says", async () => {
    const { person, ctx } = await enter();
    const answers = [["usb", "nfc"], ["usb", 1, null, "x\0"], "usb", { length: 1 }, null];
    for (const transports of answers) {
      const made = JSON.parse(createAuthenticator().make({ options: await beginPasskey(ctx) }));
      const response = JSON.stringify({ ...made, response: { ...made.response, transports } });
      await addPasskey(ctx, { name: "x", response });
    }
    const rows = await world.server.database.query(
      "SELECT transports FROM passkey WHERE user_id = $1 ORDER BY id",
      [person.id],
    );
    expect(rows).toEqual([["nfc", "usb"], ["usb"], [], [], []].map((transports) => ({ transports })));
  });

  it("refuses an id that is not the passkey's, or too long, and a response that is", async () => {
    const { ctx } = await enter();
    for (const change of [{ id: "AAAA" }, { id: "A".repeat(1368) }, { more: "x".repeat(20_000) }]) {
      const made = JSON.parse(createAuthenticator().make({ options: await beginPasskey(ctx) }));
      const { id = made.id } = change;
      const response = JSON.stringify({ ...made, ...change, rawId: id });
      expect(await getErrorCode(addPasskey(ctx, { name: "x", response }))).toBe("validation_failed");
    }
  });
});

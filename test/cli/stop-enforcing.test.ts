import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import { createPerson, logInAs } from "../support/people.ts";
import { lastAudit, personCtx } from "../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { NEW_SIGN_IN_PROVIDER } from "../support/test-sign-in.ts";
import { UNSENT } from "../support/unsent.ts";
import { runCli } from "./run-cli.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld(UNSENT);
});

afterAll(() => world.server.close());

describe("sign-in stop-enforcing", () => {
  it("lets members log in with their passwords again, once", async () => {
    const owner = await createPerson(world.server, world.workspaceId, { role: "owner" });
    const member = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const by = personCtx(world.server, owner, { role: "owner" });
    await setSignInProvider(by, { ...NEW_SIGN_IN_PROVIDER, enforced: true });
    expect(await logInAs(world.server, member)).toBeNull();
    const stop = async () => {
      const place = ["--workspace", world.workspaceId, "--json"];
      const environment = { DATABASE_URL: world.server.database.url };
      return JSON.parse((await runCli(["sign-in", "stop-enforcing", ...place], environment)).stdout);
    };
    expect(await stop()).toEqual({ issuer: NEW_SIGN_IN_PROVIDER.issuer });
    const { action, changes } = await lastAudit(world.server, world.workspaceId);
    expect([action, changes]).toMatchObject(["sign_in_provider.set", { enforced: false }]);
    expect(await logInAs(world.server, member)).not.toBeNull();
    expect(await stop()).toMatchObject({ error: { code: "invalid_state" } });
  });
});

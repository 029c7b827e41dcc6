import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import { askWhoAmI, buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function isSessionValid(token: string): Promise<boolean> {
  return (await askWhoAmI(server, buildCookie(token))).status === 200;
}

describe("sessions that began at a provider", () => {
  it.each([
    ["another issuer", { issuer: "https://another.example" }, false],
    ["another client", { clientId: "another" }, false],
    ["another setting", { createsViewers: true }, true],
  ])("with %s: end where they began elsewhere", async (_what, change, isKept) => {
    const { workspaceId } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    const [member, owner] = [
      await createPerson(server, workspaceId),
      await createPerson(server, workspaceId, { role: "owner" }),
    ];
    const { id: providerId } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    const byProvider = await beginTestSession(server, member);
    const moved = "UPDATE users_tokens SET provider_id = $2 WHERE user_id = $1";
    await server.database.query(moved, [member.id, providerId]);
    const byPassword = await beginTestSession(server, owner);
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, ...change });
    expect([await isSessionValid(byProvider), await isSessionValid(byPassword)]).toEqual([isKept, true]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestPerson, createPerson, logInAs, beginTestSession } from "../support/people.ts";
import { type Ask, askBy, callMutation, expectData, graphqlCode } from "../support/settings-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let workspace: NewWorkspace;
let owner: TestPerson;
let ask: Ask;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  workspace = await server.createWorkspace();
  owner = await createPerson(server, workspace.workspaceId, { role: "owner" });
  ask = await askAs(owner);
});

async function askAs(person: TestPerson): Promise<Ask> {
  return askBy(server, await beginTestSession(server, person));
}

describe("the user's own account", () => {
  it("lists browsers, and logs out one, the others, or all", async () => {
    const [second, third] = [await beginTestSession(server, owner), await beginTestSession(server, owner)];
    const { sessions } = await expectData(
      ask("{ sessions { id current userAgent createdAt expiresAt remembered } }"),
    );
    expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false, false]);
    const revoke = "mutation ($id: ID!) { revokeSession(input: { id: $id }) { revokedId } }";
    await expectData(ask(revoke, { id: sessions[1].id }));
    const countActive = async () =>
      (await Promise.all([second, third].map((token) => askBy(server, token)("{ viewer { role } }")))).map(
        ({ status }) => status,
      );
    expect(await countActive()).toEqual(expect.arrayContaining([200, 401]));
    expect(graphqlCode(await ask(revoke, { id: sessions[1].id }))).toBe("NOT_FOUND");
    const outsider = await askAs(await createPerson(server, workspace.workspaceId, { role: "admin" }));
    expect(graphqlCode(await outsider(revoke, { id: sessions[0].id }))).toBe("NOT_FOUND");
    const others = await expectData(
      ask("mutation { revokeOtherSessions(input: {}) { sessions { current } } }"),
    );
    expect(others.revokeOtherSessions.sessions).toEqual([{ current: true }]);
    expect(await countActive()).toEqual([401, 401]);
    await expectData(ask("mutation { logOutEverywhere(input: {}) { done } }"));
    expect((await ask("{ viewer { role } }")).status).toBe(401);
  });

  it("changes the password, gives this browser a new session, and rejects wrong and weak passwords", async () => {
    const change = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { uuid } } }`;
    const input = (currentPassword: string, newPassword: string, again = newPassword) => ({
      input: { currentPassword, newPassword, newPasswordConfirmation: again },
    });
    const another = "a lantern over the water";
    for (const [sent, field] of [
      [input("not the password", another), "currentPassword"],
      [input(owner.password, "short"), "newPassword"],
      [input(owner.password, another, "something else"), "newPasswordConfirmation"],
    ] as const) {
      const { body } = await ask(change, sent);
      expect(body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field });
    }
    const answer = await ask(change, input(owner.password, another));
    expect(answer.body.data.changePassword.user.uuid).toBe(owner.id);
    expect(answer.headers.getSetCookie().join()).toContain("_agent_ops_key=");
    expect(await logInAs(server, { ...owner, password: another })).not.toBeNull();
    expect(await logInAs(server, owner)).toBeNull();
  });

  it("changes the name, and requests an email to a new address", async () => {
    const { updateProfile } = await expectData(
      ask('mutation { updateProfile(input: { name: "Ada" }) { user { name } } }'),
    );
    expect(updateProfile.user.name).toBe("Ada");
    await expectData(ask('mutation { requestEmailChange(input: { email: "ada@example.org" }) { done } }'));
    await vi.waitFor(
      async () => {
        const links = await server.database.query(
          "SELECT sent_to FROM users_tokens WHERE workspace_id = $1 AND context = 'email_change'",
          [workspace.workspaceId],
        );
        expect(links).toEqual([{ sent_to: "ada@example.org" }]);
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  it("requires a user", async () => {
    const bearer = createTestClient(server.url, workspace.apiKey);
    for (const [name, input] of Object.entries({
      updateProfile: { name: "x" },
      requestEmailChange: { email: "x@example.com" },
      confirmPassword: { password: "x" },
      changePassword: { currentPassword: "x", newPassword: "x", newPasswordConfirmation: "x" },
      revokeSession: { id: toGlobalId("Session", crypto.randomUUID()) },
      revokeOtherSessions: {},
      logOutEverywhere: {},
    })) {
      const code = graphqlCode(await callMutation((query, sent) => bearer.graphql(query, sent), name, input));
      expect([name, code]).toEqual([name, "FORBIDDEN"]);
    }
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createClient } from "../support/client.ts";
import { type Person, createPerson, logInAs, tokenOf } from "../support/people.ts";
import { type Ask, askBy, callMutation, dataOf, graphqlCode } from "../support/settings-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let workspace: NewWorkspace;
let owner: Person;
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

async function askAs(person: Person): Promise<Ask> {
  return askBy(server, await tokenOf(server, person));
}

describe("one's own account", () => {
  it("lists browsers, and logs out of one, of the others, of all", async () => {
    const [second, third] = [await tokenOf(server, owner), await tokenOf(server, owner)];
    const { sessions } = await dataOf(
      ask("{ sessions { id current userAgent createdAt expiresAt remembered } }"),
    );
    expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false, false]);
    const revoke = "mutation ($id: ID!) { revokeSession(input: { id: $id }) { revokedId } }";
    await dataOf(ask(revoke, { id: sessions[1].id }));
    const alive = async () =>
      (await Promise.all([second, third].map((token) => askBy(server, token)("{ viewer { role } }")))).map(
        ({ status }) => status,
      );
    expect(await alive()).toEqual(expect.arrayContaining([200, 401]));
    expect(graphqlCode(await ask(revoke, { id: sessions[1].id }))).toBe("NOT_FOUND");
    const stranger = await askAs(await createPerson(server, workspace.workspaceId, { role: "admin" }));
    expect(graphqlCode(await stranger(revoke, { id: sessions[0].id }))).toBe("NOT_FOUND");
    const others = await dataOf(ask("mutation { revokeOtherSessions(input: {}) { sessions { current } } }"));
    expect(others.revokeOtherSessions.sessions).toEqual([{ current: true }]);
    expect(await alive()).toEqual([401, 401]);
    await dataOf(ask("mutation { logOutEverywhere(input: {}) { done } }"));
    expect((await ask("{ viewer { role } }")).status).toBe(401);
  });

  it("changes the password, hands this browser a new session, and refuses a wrong or weak one", async () => {
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

  it("changes the name, and asks for a letter to another address", async () => {
    const { updateProfile } = await dataOf(
      ask('mutation { updateProfile(input: { name: "Ada" }) { user { name } } }'),
    );
    expect(updateProfile.user.name).toBe("Ada");
    await dataOf(ask('mutation { requestEmailChange(input: { email: "ada@example.org" }) { done } }'));
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

  it("is a person's only", async () => {
    const bearer = createClient(server.url, workspace.apiKey);
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

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestPerson, createPerson, beginTestSession } from "../support/people.ts";
import { type Ask, askBy, expectData, graphqlCode } from "../support/settings-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";

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
  owner = await createMember("owner");
  ask = await askAs(owner);
});

function createMember(role: Role): Promise<TestPerson> {
  return createPerson(server, workspace.workspaceId, { role });
}

async function askAs(person: TestPerson): Promise<Ask> {
  return askBy(server, await beginTestSession(server, person));
}

describe("the queries of the settings", () => {
  const LISTS = {
    users: "users { totalCount nodes { uuid } }",
    apiKeys: "apiKeys { totalCount nodes { uuid } }",
    auditEvents: "auditEvents { totalCount nodes { uuid } }",
    quotas: "quotas { name limit used measuredAt }",
    scimTokens: "scimTokens { uuid }",
    socketTokens: "socketTokens { uuid }",
    sessions: "sessions { uuid }",
  };

  it("require an admin, except for members and own sessions, and no bearer except for its own tokens", async () => {
    const viewer = await askAs(await createMember("viewer"));
    const bearer = createTestClient(server.url, workspace.apiKey);
    for (const [name, selection] of Object.entries(LISTS)) {
      expect([name, graphqlCode(await ask(`{ ${selection} }`))]).toEqual([name, ""]);
      const isForAll = name === "users" || name === "sessions";
      expect([name, graphqlCode(await viewer(`{ ${selection} }`))]).toEqual([
        name,
        isForAll ? "" : "FORBIDDEN",
      ]);
      expect([name, graphqlCode(await bearer.graphql(`{ ${selection} }`))]).toEqual([name, "FORBIDDEN"]);
    }
  });

  it("return the user", async () => {
    const { viewer } = await expectData(
      ask("{ viewer { role user { uuid email status role } session { uuid isSudo } credential { uuid } } }"),
    );
    expect(viewer).toMatchObject({
      ...{ role: "OWNER", credential: null, session: { isSudo: true } },
      user: { uuid: owner.id, email: owner.email, status: "ACTIVE", role: "OWNER" },
    });
    const bearer = await createTestClient(server.url, workspace.apiKey).graphql(
      "{ viewer { user { uuid } session { uuid } } }",
    );
    expect(bearer.body.data.viewer).toEqual({ user: null, session: null });
  });

  it("page through lists by cursor, with exact totals and filters", async () => {
    for (const role of ["viewer", "operator", "admin"] as const) await createMember(role);
    const query = `query ($after: String, $filter: UserFilter) { users(first: 2, after: $after, filter: $filter) {
      totalCount version nodes { uuid role } pageInfo { hasNextPage endCursor } } }`;
    const first = (await expectData(ask(query))).users;
    expect(first).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
    expect(first.nodes.map(({ role }: { role: string }) => role)).toEqual(["ADMIN", "OPERATOR"]);
    const second = (await expectData(ask(query, { after: first.pageInfo.endCursor }))).users;
    expect(second.nodes.map(({ role }: { role: string }) => role)).toEqual(["VIEWER", "OWNER"]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const found = (await expectData(ask(query, { filter: { role: "OWNER", query: owner.email } }))).users;
    expect(found).toMatchObject({ totalCount: 1, nodes: [{ uuid: owner.id }] });
  });

  it("return the audit log", async () => {
    const { inviteUser } = await expectData(
      ask(
        'mutation { inviteUser(input: { email: "x@example.com", role: VIEWER }) { user { uuid status } } }',
      ),
    );
    expect(inviteUser.user.status).toBe("INVITED");
    const filter = { action: "user.inv*", actorId: owner.id, targetId: inviteUser.user.uuid };
    const { auditEvents } = await expectData(
      ask(
        `query ($filter: AuditEventFilter) { auditEvents(first: 10, filter: $filter) { totalCount version
          edges { cursor } pageInfo { endCursor } nodes { seq action actor { type uuid name } targetType ip userAgent changes hash prevHash } } }`,
        { filter },
      ),
    );
    expect(auditEvents).toMatchObject({
      totalCount: 1,
      nodes: [{ action: "user.invited", actor: { type: "USER", uuid: owner.id }, ip: "127.0.0.1" }],
    });
    expect(auditEvents.edges[0].cursor).toBe(auditEvents.pageInfo.endCursor);
  });
});

describe("a new secret", () => {
  it("is returned once by its mutation, and works", async () => {
    const made = await expectData(
      ask(
        'mutation { createApiKey(input: { name: "x", scopes: ["tasks:read"] }) { key apiKey { id prefix last4 } } }',
      ),
    );
    const { key, apiKey } = made.createApiKey;
    expect(key.startsWith(`${apiKey.prefix}.`)).toBe(true);
    expect(key.endsWith(apiKey.last4)).toBe(true);
    expect((await createTestClient(server.url, key).get("/api/v1/whoami")).status).toBe(200);
    const rotated = await expectData(
      ask(
        `mutation ($id: ID!) { rotateApiKey(input: { id: $id, overlapSeconds: 60 }) {
          key apiKey { uuid } rotatedApiKey { rotatedToUuid expiresAt } } }`,
        { id: apiKey.id },
      ),
    );
    const { rotateApiKey } = rotated;
    expect(rotateApiKey.rotatedApiKey.rotatedToUuid).toBe(rotateApiKey.apiKey.uuid);
    expect((await createTestClient(server.url, rotateApiKey.key).get("/api/v1/whoami")).status).toBe(200);
    const scim = await expectData(
      ask('mutation { rotateScimToken(input: { label: "Okta" }) { token scimToken { last4 label } } }'),
    );
    const secrets = [key, rotateApiKey.key, scim.rotateScimToken.token].map((secret) => secret.slice(-30));
    const { text } = await ask(
      "{ apiKeys { nodes { name prefix last4 } } scimTokens { last4 } auditEvents { nodes { changes } } }",
    );
    const logs = server.logged.join();
    for (const secret of secrets) for (const place of [text, logs]) expect(place).not.toContain(secret);
  });
});

describe("the workspace and its members", () => {
  it("are changed by mutations that return the change", async () => {
    const { id } = await createMember("viewer");
    const user = toGlobalId("User", id);
    const change = (name: string, more = "") =>
      `mutation ($id: ID!) { ${name}(input: { id: $id ${more} }) { user { uuid role status suspendedAt } } }`;
    const promoted = await expectData(ask(change("updateUserRole", "role: ADMIN"), { id: user }));
    expect(promoted.updateUserRole.user).toMatchObject({ uuid: id, role: "ADMIN", status: "ACTIVE" });
    const suspended = await expectData(ask(change("suspendUser"), { id: user }));
    expect(suspended.suspendUser.user.status).toBe("SUSPENDED");
    const back = await expectData(ask(change("unsuspendUser"), { id: user }));
    expect(back.unsuspendUser.user).toMatchObject({ status: "ACTIVE", suspendedAt: null });
    const gone = await expectData(
      ask("mutation ($id: ID!) { deleteUser(input: { id: $id }) { deletedId } }", { id: user }),
    );
    expect(gone.deleteUser.deletedId).toBe(user);
    expect(graphqlCode(await ask("query ($id: ID!) { user(id: $id) { uuid } }", { id: user }))).toBe(
      "NOT_FOUND",
    );
    const { updateWorkspace } = await expectData(
      ask(
        'mutation { updateWorkspace(input: { name: "Globex", eventRetentionDays: 30 }) { workspace { name eventRetentionDays } } }',
      ),
    );
    expect(updateWorkspace.workspace).toEqual({ name: "Globex", eventRetentionDays: 30 });
  });

  it("rejects ids of other types and values out of range, by name", async () => {
    const wrong = await ask("query ($id: ID!) { user(id: $id) { uuid } }", {
      id: toGlobalId("Task", owner.id),
    });
    expect(wrong.body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field: "id" });
    const range = await ask(
      "mutation { updateWorkspace(input: { eventRetentionDays: 0 }) { workspace { name } } }",
    );
    expect(range.body.errors[0].extensions).toMatchObject({
      code: "VALIDATION_FAILED",
      field: "eventRetentionDays",
    });
    const far = await ask("{ socketTokens(first: 101) { uuid } }");
    expect(far.body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field: "first" });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beginTotp } from "../../src/auth/factors/begin-totp.ts";
import { beginPasskey } from "../../src/auth/passkeys/begin-passkey.ts";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import { createDirectoryGroup } from "../../src/domain/directory/create-directory-group.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { setModelPrice } from "../../src/domain/prices/set-model-price.ts";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { inviteUser } from "../../src/domain/users/invite-user.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { schema } from "../../src/schema/schema.ts";
import { CALLS } from "../support/budget-scene.ts";
import { NEW_MCP_SERVER } from "../support/mcp-server-calls.ts";
import { insertTestMcpServer } from "../support/test-mcp-server.ts";
import { NEW_SIGN_IN_PROVIDER, insertTestSignIn } from "../support/test-sign-in.ts";
import { OWN_PRICE } from "../support/own-price.ts";
import { NEW_WEBHOOK } from "../support/webhook-calls.ts";
import { insertWebhook } from "../support/webhook-scene.ts";
import { NEW_TRUST } from "../support/workload-calls.ts";
import { insertTrust } from "../support/workload-scene.ts";
import { personCtx } from "../support/person-ctx.ts";
import { FACTOR_ENVIRONMENT, makeCode } from "../support/second-factor.ts";
import { SITE, createAuthenticator } from "../support/authenticator.ts";
import { giveFactor, givePasskey } from "../support/test-factors.ts";
import { createTestClient } from "../support/test-client.ts";
import { insertTestAgent } from "../support/factories.ts";
import { FOR_PEOPLE } from "../support/for-people.ts";
import { type TestPerson, createPerson, beginTestSession } from "../support/people.ts";
import { type Ask, askBy, callMutation, expectData, graphqlCode } from "../support/settings-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";

let server: TestServer;
let workspace: NewWorkspace;
let owner: TestPerson;
let ask: Ask;

beforeAll(async () => {
  server = await startTestServer({ ...FACTOR_ENVIRONMENT, PUBLIC_BASE_URL: SITE });
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

async function createMemberWithFactor(): Promise<TestPerson> {
  const member = await createMember("viewer");
  await giveFactor(server, member);
  return member;
}

/** Changes of the caller's own second factors, from the first one to the last. */
async function factorCalls(): Promise<Record<string, Record<string, unknown>>> {
  const ctx = personCtx(server, owner, { role: "owner" });
  const { secret, setup } = await beginTotp(ctx);
  const passkey = createAuthenticator().make({ options: await beginPasskey(ctx) });
  return {
    beginAuthenticatorApp: {},
    addAuthenticatorApp: { setup, code: makeCode(secret) },
    renewRecoveryCodes: {},
    beginPasskey: {},
    addPasskey: { name: "new", response: passkey },
    removePasskey: { id: toGlobalId("Passkey", await givePasskey(server, owner)) },
    removeAuthenticatorApp: {},
  };
}

async function askAs(person: TestPerson): Promise<Ask> {
  return askBy(server, await beginTestSession(server, person));
}

/** Makes every session's password entry older than 20 minutes. */
async function ageSessions(): Promise<void> {
  await server.database.query(
    "UPDATE users_tokens SET authenticated_at = authenticated_at - interval '21 minutes' WHERE context = 'session'",
  );
}

async function primaryKeyId(): Promise<string> {
  const data = await expectData(ask("{ apiKeys { nodes { id primary } } }"));
  return data.apiKeys.nodes[0].id;
}

async function scimTokenId(): Promise<string> {
  return (await expectData(ask("{ scimTokens { id } }"))).scimTokens[0].id;
}

async function agentTokenId(): Promise<string> {
  const { body } = await createTestClient(server.url, workspace.apiKey).post("/api/v1/agent_tokens");
  return toGlobalId("AgentToken", body.id);
}

const RULE = { effect: "allow" as const, actions: ["*"] };

/** Existing rows by GraphQL id. */
async function subjects() {
  const ctx = server.systemCtx(workspace.workspaceId);
  const suspended = await createMember("viewer");
  await deactivateUser(ctx, suspended.id);
  const group = await createDirectoryGroup(ctx, { attributes: { displayName: "Everybody" } });
  return {
    agent: toGlobalId("Agent", await insertTestAgent(ctx)),
    group: toGlobalId("Group", group.id),
    user: toGlobalId("User", (await createMember("viewer")).id),
    suspended: toGlobalId("User", suspended.id),
    withFactor: toGlobalId("User", (await createMemberWithFactor()).id),
    invited: toGlobalId(
      "User",
      await inviteUser(ctx, { email: `${crypto.randomUUID()}@example.com`, role: "viewer" }),
    ),
    key: await primaryKeyId(),
    policy: toGlobalId("Policy", (await createPolicy(ctx, { ...RULE, name: "old" })).id),
    budget: toGlobalId("Budget", (await createBudget(ctx, { ...CALLS, name: "old" })).id),
    price: toGlobalId("ModelPrice", (await setModelPrice(ctx, OWN_PRICE)).id),
    ...(await mcpSubjects(ctx)),
    signInDomain: toGlobalId("SignInDomain", await insertTestSignIn(ctx, crypto.randomUUID())),
    trust: toGlobalId("WorkloadTrust", await insertTrust(ctx, "old")),
    webhook: await webhookSubjects(ctx),
    spareBudget: toGlobalId("Budget", (await createBudget(ctx, { ...CALLS, name: "spare" })).id),
    spare: toGlobalId("Policy", (await createPolicy(ctx, { ...RULE, name: "spare" })).id),
  };
}

async function webhookSubjects(ctx: Parameters<typeof insertWebhook>[0]) {
  const [old, spare] = [await insertWebhook(ctx, "old"), await insertWebhook(ctx, "spare")];
  return {
    endpoint: toGlobalId("WebhookEndpoint", old.webhookEndpoint),
    delivery: toGlobalId("WebhookDelivery", old.webhookDelivery),
    spare: toGlobalId("WebhookEndpoint", spare.webhookEndpoint),
  };
}

async function mcpSubjects(ctx: Parameters<typeof insertTestMcpServer>[0]) {
  const { server, tool } = await insertTestMcpServer(ctx, "old");
  const { server: spare } = await insertTestMcpServer(ctx, "spare");
  return {
    mcpServer: toGlobalId("McpServer", server.id),
    mcpTool: { id: toGlobalId("McpTool", tool.id), hash: Buffer.from(tool.hash).toString("hex") },
    spareMcpServer: toGlobalId("McpServer", spare.id),
  };
}

/**
 * Every mutation that requires the password again, with example input: those that create or revoke credentials, or
 * change what others may do.
 */
async function sudoCalls(): Promise<Record<string, Record<string, unknown>>> {
  const { agent, group, user, suspended, invited, key, policy, spare, budget, spareBudget, price, ...rest } =
    await subjects();
  const { mcpServer, mcpTool, spareMcpServer, signInDomain, trust, webhook, withFactor } = rest;
  return {
    inviteUser: { email: "new@example.com", role: "VIEWER" },
    resendInvitation: { id: invited },
    updateUserRole: { id: user, role: "OPERATOR" },
    suspendUser: { id: user },
    unsuspendUser: { id: suspended },
    removeUserFactors: { id: withFactor },
    deleteUser: { id: user },
    mapDirectoryGroup: { id: group, role: "OPERATOR" },
    setAgentCapture: { id: agent, captureContent: "OFF" },
    setAgentLabels: { id: agent, labels: { team: "x" } },
    archiveAgent: { id: agent },
    createApiKey: { name: "x", scopes: ["tasks:read"] },
    updateApiKey: { id: key, name: "x" },
    rotateApiKey: { id: key },
    revokeAgentToken: { id: await agentTokenId() },
    revokeApiKey: { id: key },
    rotateScimToken: {},
    revokeScimToken: { id: await scimTokenId() },
    setSignInProvider: NEW_SIGN_IN_PROVIDER,
    addSignInDomain: { domain: "new.example" },
    verifySignInDomain: { id: signInDomain },
    deleteSignInDomain: { id: signInDomain },
    deleteSignInProvider: {},
    ...(await factorCalls()),
    requestEmailChange: { email: "another@example.com" },
    updateWorkspace: { name: "Another name" },
    createPolicy: { rule: { name: "new", effect: "DENY", actions: ["*"] } },
    updatePolicy: { id: policy, rule: { name: "changed", effect: "DENY", actions: ["*"] } },
    deletePolicy: { id: spare },
    applyPolicyFile: { text: "version: 1\npolicies: []\n" },
    createBudget: { name: "x", scope: { type: "WORKSPACE" }, unit: "CALLS", limit: "5", period: "DAY" },
    updateBudget: { id: budget, limit: "7" },
    deleteBudget: { id: spareBudget },
    setModelPrice: { ...OWN_PRICE, model: "another" },
    deleteModelPrice: { id: price },
    createWorkloadTrust: { ...NEW_TRUST, agentHandle: "primary" },
    updateWorkloadTrust: { id: trust, name: "changed" },
    deleteWorkloadTrust: { id: trust },
    createWebhookEndpoint: NEW_WEBHOOK,
    updateWebhookEndpoint: { id: webhook.endpoint, description: "changed" },
    rotateWebhookSecret: { id: webhook.endpoint },
    resendFromDelivery: { id: webhook.delivery },
    deleteWebhookEndpoint: { id: webhook.spare },
    createMcpServer: NEW_MCP_SERVER,
    updateMcpServer: { id: mcpServer, name: "changed" },
    setMcpCredential: { serverId: mcpServer },
    reviewMcpTools: { serverId: mcpServer, tools: [mcpTool], verdict: "BLOCK" },
    deleteMcpServer: { id: spareMcpServer },
    deleteTraces: { conversationId: "x" },
    remapTraces: { from: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" },
    setSpanDropRules: { rules: [{ name: "x" }] },
    repriceUsage: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" },
  };
}

/** Mutations without it: own sessions and names, urgent ones, and those that grant nothing. */
const WITHOUT_PASSWORD = [
  ...[
    "updateProfile",
    "updateNotificationSettings",
    ...["archiveInboxItem", "unarchiveInboxItem"],
    "revokeSession",
    "revokeOtherSessions",
    "logOutEverywhere",
  ],
  // These two take the password as input.
  ...["changePassword", "confirmPassword"],
  ...["renameAgent", "setAgentControlState", "emergencyStop", "releaseEmergencyStop"],
  ...["resumeAgents", "releaseStop"],
  ...["updateRobot", "promoteEvalBaseline", "releaseAssumed", "resolveExecution", "refreshMcpTools"],
  ...["createAlertRule", "updateAlertRule", "deleteAlertRule"],
  ...["setFloorPlan", "deleteFloorPlan", "setMissionTemplate", "deleteMissionTemplate"],
  ...["sendTestEvent", "resendDelivery"],
  ...["grantApproval", "denyApproval", "revokeApproval"],
  // For identity providers only.
  ...["createDirectoryUser", "replaceDirectoryUser", "patchDirectoryUser", "deleteDirectoryUser"],
  ...["createDirectoryGroup", "replaceDirectoryGroup", "patchDirectoryGroup", "deleteDirectoryGroup"],
  ...["createDirectoryAgent", "replaceDirectoryAgent", "patchDirectoryAgent", "deleteDirectoryAgent"],
];

/** The holder of the SCIM token can manage owners. */
const FOR_OWNERS = ["rotateScimToken", "revokeScimToken", "removeUserFactors"];

describe("mutations that require the password again", () => {
  it("are all mutations for users, except those listed here", async () => {
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    // Agents revoke their own tokens.
    const asked = Object.keys(await sudoCalls()).filter((name) => name !== "revokeAgentToken");
    const forPeople = FOR_PEOPLE.filter((name) => mutations.includes(name));
    expect([...asked, ...WITHOUT_PASSWORD].toSorted()).toEqual(forPeople.toSorted());
  });

  it("reject a session with an old password entry, and accept it after a new one", async () => {
    const calls = await sudoCalls();
    await ageSessions();
    for (const [name, input] of Object.entries(calls)) {
      expect([name, graphqlCode(await callMutation(ask, name, input))]).toEqual([name, "SUDO_REQUIRED"]);
    }
    const confirm =
      "mutation ($password: String!) { confirmPassword(input: { password: $password }) { session { isSudo } } }";
    expect(graphqlCode(await ask(confirm, { password: "not the password" }))).toBe("VALIDATION_FAILED");
    const { confirmPassword } = await expectData(ask(confirm, { password: owner.password }));
    expect(confirmPassword.session.isSudo).toBe(true);
    for (const [name, input] of Object.entries(calls)) {
      expect([name, graphqlCode(await callMutation(ask, name, input))]).toEqual([name, ""]);
    }
  });

  it("reject every bearer and users below admin", async () => {
    // Users change their own address and factors, and agents revoke their own tokens.
    const own = new Set(["requestEmailChange", "revokeAgentToken", ...Object.keys(await factorCalls())]);
    const calls = Object.fromEntries(Object.entries(await sudoCalls()).filter(([name]) => !own.has(name)));
    const bearer = createTestClient(server.url, workspace.apiKey);
    const operator = await askAs(await createMember("operator"));
    for (const [name, input] of Object.entries(calls)) {
      expect([
        name,
        graphqlCode(await callMutation((query, sent) => bearer.graphql(query, sent), name, input)),
      ]).toEqual([...[name, "FORBIDDEN"]]);
      expect([name, graphqlCode(await callMutation(operator, name, input))]).toEqual([name, "FORBIDDEN"]);
    }
  });

  it("reject admins if they are for owners", async () => {
    const calls = await sudoCalls();
    const admin = await askAs(await createMember("admin"));
    for (const name of FOR_OWNERS) {
      expect([name, graphqlCode(await callMutation(admin, name, calls[name] ?? {}))]).toEqual([
        name,
        "FORBIDDEN",
      ]);
    }
  });
});

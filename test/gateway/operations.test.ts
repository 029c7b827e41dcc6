import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createKeyWith } from "../support/callers.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../support/test-client.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../support/factories.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let apiKey: string;
let workspaceId: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  ({ apiKey, workspaceId } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

afterAll(() => server.close());

/** Runs a mutation and expects success. @returns its payload. */
async function mutate(
  client: TestClient,
  [name, selection]: [string, string],
  input: object,
): Promise<TestAnswer["body"]> {
  const type = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Input!`;
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`;
  const { body } = await client.graphql(query, { input });
  expect(body.errors).toBeUndefined();
  return body.data[name];
}

describe("createTask", () => {
  const everything = `clientMutationId task {
    id uuid contextId title queue assigneeAgentUuid input status priority maxAttempts runAfter deadlineAt
    parentTaskUuid labels metadata createdBy { type name } generation attempt }`;

  it("creates the task and returns clientMutationId", async () => {
    const assignee = await insertTestAgent(server.systemCtx(workspaceId));
    const parent = await createTask(server.systemCtx(workspaceId), { title: "The first try" });
    const { clientMutationId, task } = await mutate(agent, ["createTask", everything], {
      clientMutationId: "mine",
      title: "Refund order 42",
      queue: "refunds",
      assigneeAgentId: toGlobalId("Agent", assignee),
      input: [{ text: "please" }, { data: { order: 42 }, media_type: "application/json" }],
      priority: 9,
      maxAttempts: 1,
      runAfter: "2030-01-01T00:00:00+01:00",
      deadlineAt: "2030-01-02T00:00:00Z",
      parentTaskId: toGlobalId("Task", parent.id),
      labels: { team: "payments" },
      metadata: { nested: { deep: [1, null, "x"] } },
    });
    expect(clientMutationId).toBe("mine");
    expect(task).toEqual({
      id: toGlobalId("Task", task.uuid),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      contextId: parent.contextId,
      title: "Refund order 42",
      queue: "refunds",
      assigneeAgentUuid: assignee,
      input: [{ text: "please" }, { data: { order: 42 }, media_type: "application/json" }],
      status: "SUBMITTED",
      priority: 9,
      maxAttempts: 1,
      runAfter: "2029-12-31T23:00:00.000Z",
      deadlineAt: "2030-01-02T00:00:00.000Z",
      parentTaskUuid: parent.id,
      labels: { team: "payments" },
      metadata: { nested: { deep: [1, null, "x"] } },
      createdBy: { type: "AGENT", name: "Primary agent" },
      generation: 1,
      attempt: 0,
    });
  });

  it("accepts null for optional fields, and the task can be read by id and node", async () => {
    const input = { title: "x", queue: null, input: null, priority: null, labels: null, contextId: null };
    const { clientMutationId, task } = await mutate(agent, ["createTask", everything], input);
    expect(clientMutationId).toBeNull();
    expect(task).toMatchObject({ queue: "default", input: [], priority: 5, maxAttempts: 3, labels: {} });
    const query =
      "query ($id: ID!) { task(id: $id) { uuid } node(id: $id) { __typename ... on Task { uuid } } }";
    const { body } = await agent.graphql(query, { id: task.id });
    expect(body.data).toEqual({ task: { uuid: task.uuid }, node: { __typename: "Task", uuid: task.uuid } });
  });
});

describe("sendMessage", () => {
  it("sends a message with the sender's own id once", async () => {
    const uuid = crypto.randomUUID();
    const input = { uuid, parts: [{ text: "Which size?" }], kind: "QUESTION", clientMutationId: "q" };
    const selection =
      "clientMutationId created message { uuid kind parts sender { type } answeredByUuid contextId }";
    const first = await mutate(agent, ["sendMessage", selection], input);
    expect(first).toMatchObject({
      clientMutationId: "q",
      created: true,
      message: { uuid, kind: "QUESTION" },
    });
    const again = await mutate(agent, ["sendMessage", selection], input);
    expect(again).toEqual({ ...first, created: false });
    const replyToId = toGlobalId("Message", uuid);
    const answer = { parts: [{ text: "M" }], kind: "ANSWER", replyToId };
    const supervisor = createTestClient(
      server.url,
      await createKeyWith(server, workspaceId, ["messages:write"]),
    );
    const { message } = await mutate(supervisor, ["sendMessage", selection], answer);
    expect(message.contextId).toBe(first.message.contextId);
    const { body } = await agent.graphql("query ($id: ID!) { message(id: $id) { answeredByUuid } }", {
      id: replyToId,
    });
    expect(body.data.message.answeredByUuid).toBe(message.uuid);
  });
});

describe("tokens over GraphQL", () => {
  it("mints, lists, introspects and revokes an agent token", async () => {
    const selection = "clientMutationId token expiresIn agentToken { id uuid scopes name }";
    const input = { scopes: ["tasks:read"], name: "n", expiresIn: 60, clientMutationId: "t" };
    const made = await mutate(agent, ["createAgentToken", selection], input);
    expect(made).toMatchObject({
      clientMutationId: "t",
      expiresIn: 60,
      agentToken: { scopes: ["tasks:read"], name: "n" },
    });
    const minted = createTestClient(server.url, made.token);
    const viewer = await minted.graphql("{ viewer { scopes credential { uuid kind } } }");
    expect(viewer.body.data.viewer).toEqual({
      scopes: ["tasks:read"],
      credential: { uuid: made.agentToken.uuid, kind: "AGENT_TOKEN" },
    });
    const listed = await agent.graphql("{ agentTokens(first: 1) { uuid } }");
    expect(listed.body.data.agentTokens).toEqual([{ uuid: made.agentToken.uuid }]);
    const introspect = "query ($token: String!) { introspectToken(token: $token) { uuid kind scopes } }";
    const known = await agent.graphql(introspect, { token: made.token });
    expect(known.body.data.introspectToken).toEqual({
      uuid: made.agentToken.uuid,
      kind: "AGENT_TOKEN",
      scopes: ["tasks:read"],
    });
    const { id } = made.agentToken;
    const revoked = await mutate(agent, ["revokeAgentToken", "revokedId clientMutationId"], {
      id,
      clientMutationId: "r",
    });
    expect(revoked).toEqual({ revokedId: id, clientMutationId: "r" });
    expect((await minted.graphql("{ viewer { scopes } }")).status).toBe(401);
    const gone = await agent.graphql(introspect, { token: made.token });
    expect(gone.body.data.introspectToken).toBeNull();
  });

  it("lets a token revoke itself, as `current` or by its text", async () => {
    const mint = async () => (await mutate(agent, ["createAgentToken", "token"], {})).token as string;
    const [first, second] = [await mint(), await mint()];
    await mutate(createTestClient(server.url, first), ["revokeAgentToken", "revokedId"], { id: "current" });
    await mutate(createTestClient(server.url, second), ["revokeToken", "done"], { token: second });
    for (const token of [first, second]) {
      expect((await createTestClient(server.url, token).graphql("{ viewer { scopes } }")).status).toBe(401);
    }
  });

  it("mints socket tokens that end with their parent token", async () => {
    const minted = await mutate(agent, ["createAgentToken", "token agentToken { id }"], {});
    const selection = "clientMutationId token expiresIn socketToken { uuid scopes singleUse }";
    const socket = await mutate(
      createTestClient(server.url, minted.token),
      ["createSocketToken", selection],
      {
        scopes: ["tasks:read"],
        singleUse: true,
        clientMutationId: "s",
      },
    );
    expect(socket).toMatchObject({
      clientMutationId: "s",
      expiresIn: 600,
      socketToken: { scopes: ["tasks:read"], singleUse: true },
    });
    const introspect = "query ($token: String!) { introspectToken(token: $token) { uuid } }";
    const before = await agent.graphql(introspect, { token: socket.token });
    expect(before.body.data.introspectToken).toEqual({ uuid: socket.socketToken.uuid });
    await mutate(agent, ["revokeAgentToken", "revokedId"], { id: minted.agentToken.id });
    const after = await agent.graphql(introspect, { token: socket.token });
    expect(after.body.data.introspectToken).toBeNull();
  });
});

describe("connections", () => {
  const ROWS = 5;
  const LISTS = ["agents", "agentCommands", "evalRuns", "messages", "missions", "robots", "tasks"];
  let reader: TestClient;

  beforeAll(async () => {
    const workspace = await server.createWorkspace();
    reader = createTestClient(server.url, workspace.apiKey);
    const ctx = server.systemCtx(workspace.workspaceId);
    for (let row = 0; row < ROWS; row++) {
      const robot = await insertTestAgent(ctx, "robot");
      await createAgentCommand(ctx, robot);
      await insertTestEvalRun(ctx);
      await insertTestMission(ctx);
      await createTask(ctx, { title: "A task" });
      await sendMessage(ctx, { parts: [{ text: "x" }] });
    }
  });

  async function page(list: string, args: string): Promise<TestAnswer["body"]> {
    const { body } = await reader.graphql(
      `{ ${list}(${args}) { totalCount nodes { uuid } edges { cursor node { uuid } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    expect(body.errors).toBeUndefined();
    return body.data[list];
  }

  const uuids = ({ nodes }: { nodes: { uuid: string }[] }) => nodes.map(({ uuid }) => uuid);

  it.each(LISTS)("page %s forwards, backwards and by offset", async (list) => {
    const all = await page(list, "first: 100");
    expect(all.edges.map(({ node }: { node: { uuid: string } }) => node.uuid)).toEqual(uuids(all));
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const first = await page(list, "first: 2");
    expect(uuids(first)).toEqual(uuids(all).slice(0, 2));
    expect(first.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0].cursor,
      endCursor: first.edges[1].cursor,
    });
    const next = await page(list, `first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(uuids(next)).toEqual(uuids(all).slice(2, 4));
    const back = await page(list, `last: 2, before: "${next.pageInfo.endCursor}"`);
    expect(uuids(back)).toEqual(uuids(all).slice(1, 3));
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const last = await page(list, "last: 2");
    expect(uuids(last)).toEqual(uuids(all).slice(-2));
    expect(uuids(await page(list, "first: 2, offset: 1"))).toEqual(uuids(all).slice(1, 3));
    expect(await page(list, "first: 0")).toMatchObject({
      nodes: [],
      pageInfo: { hasNextPage: false, startCursor: null },
    });
    expect(await page(list, "first: 2, offset: 50")).toMatchObject({ totalCount: all.totalCount, nodes: [] });
    // The workspace was created with an agent.
    const total = list === "agents" ? ROWS + 1 : ROWS;
    for (const { totalCount } of [all, first, next, back, last]) expect(totalCount).toBe(total);
  });

  it.each(["tasks", "evalRuns", "agentCommands", "missions"])(
    "list %s of one status with the status's total",
    async (list) => {
      const first = { tasks: "SUBMITTED", evalRuns: "QUEUED", agentCommands: "QUEUED", missions: "PENDING" }[
        list
      ];
      expect(await page(list, `filter: { status: ${first} }, first: 2`)).toMatchObject({ totalCount: ROWS });
      expect(await page(list, "filter: { status: FAILED }")).toMatchObject({ totalCount: 0, nodes: [] });
      expect(await page(list, "filter: { status: null }")).toMatchObject({ totalCount: ROWS });
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { schema } from "../../src/schema/schema.ts";
import { createKeyWith } from "../support/callers.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { FOR_PEOPLE } from "../support/for-people.ts";
import { evalUses } from "../support/eval-uses.ts";
import { alertUses } from "../support/alert-calls.ts";
import { budgetUses } from "../support/budget-calls.ts";
import { PRICE_USES } from "../support/price-calls.ts";
import { gatewayUses } from "../support/gateway-uses.ts";
import { traceUses } from "../support/trace-uses.ts";
import { missionUses } from "../support/mission-uses.ts";
import { rootFields } from "../support/graphql-document.ts";
import { type PopulatedWorkspace, createPopulatedWorkspace } from "../support/populated-workspace.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

/** A selection of a root field and the scope it requires, or null for any credential. */
type Use = { scope: Scope | null; selection: string };

const HOLDERS = [
  ...["heartbeatTask", "completeTask", "failTask", "rejectTask", "releaseTask", "acknowledgeTaskCancel"],
];

let server: TestServer;
let workspace: PopulatedWorkspace;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await createPopulatedWorkspace(server);
});

afterAll(() => server.close());

function uses(): Record<string, Use[]> {
  const { ids } = workspace;
  const id = (typename: string, uuid: string) => JSON.stringify(toGlobalId(typename, uuid));
  const list = (scope: Scope, name: string): Use[] => [{ scope, selection: `${name} { totalCount }` }];
  const node = (scope: Scope, typename: string, uuid: string): Use => ({
    scope,
    selection: `node(id: ${id(typename, uuid)}) { id }`,
  });
  const overview = (scope: Scope, section: string): Use => ({
    scope,
    selection: `overview(window: LAST_HOUR) { ${section} }`,
  });
  const range = 'from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", step: 3600';
  const timeseries = (scope: Scope, metric: string): Use => ({
    scope,
    selection: `timeseries(metric: ${metric}, ${range}) { values }`,
  });
  const version = (scope: Scope, of: string): Use => ({ scope, selection: `listVersion(of: ${of})` });
  return {
    agents: list("agents:read", "agents"),
    agentCommands: list("agent_commands:read", "agentCommands"),
    agentCommand: [
      {
        scope: "agent_commands:read",
        selection: `agentCommand(id: ${id("AgentCommand", ids.agentCommand)}) { uuid }`,
      },
    ],
    agentCommandBatch: [
      {
        scope: "agent_commands:read",
        selection: `agentCommandBatch(batchId: "${workspace.batchId}") { total }`,
      },
    ],
    issueAgentCommand: [
      {
        scope: "agent_commands:write",
        selection: `issueAgentCommand(input: { agentId: ${id("Agent", ids.agent)}, type: "agent.restart" }) { batchId }`,
      },
    ],
    cancelAgentCommand: [
      {
        scope: "agent_commands:write",
        selection: `cancelAgentCommand(input: { id: ${id("AgentCommand", ids.agentCommand)} }) { agentCommand { uuid } }`,
      },
    ],
    nextAgentCommands: [
      { scope: "agent_commands:read", selection: "nextAgentCommands(input: {}) { agentCommands { uuid } }" },
    ],
    // Only the command's agent may do this: the scope is tested in test/domain/agent-commands/.
    ackAgentCommand: [],
    reportAgentCommandProgress: [],
    reportAgentCommandResult: [],
    evalRuns: list("eval_runs:read", "evalRuns"),
    ...evalUses(ids.evalRun),
    ...budgetUses(workspace),
    ...alertUses(workspace),
    ...PRICE_USES,
    ...gatewayUses(workspace),
    ...traceUses(workspace),
    messages: list("messages:read", "messages"),
    missions: list("missions:read", "missions"),
    ...missionUses(workspace),
    robots: list("robots:read", "robots"),
    robot: [{ scope: "robots:read", selection: `robot(id: ${id("Robot", ids.robot)}) { samples { at } }` }],
    missionTemplates: [{ scope: "missions:read", selection: "missionTemplates { name }" }],
    floorPlans: [{ scope: "robots:read", selection: "floorPlans { mapId }" }],
    // Only robots may do this: the scope is tested in test/domain/robots/.
    reportRobotState: [],
    reportVdaState: [],
    tasks: list("tasks:read", "tasks"),
    queues: [{ scope: "tasks:read", selection: "queues" }],
    taskCounts: [{ scope: "tasks:read", selection: "taskCounts { total }" }],
    conversations: list("messages:read", "conversations"),
    recentEvents: [{ scope: "events:read", selection: "recentEvents { seq }" }],
    subjectEvents: [{ scope: "events:read", selection: `subjectEvents(subject: "${ids.task}") { seq }` }],
    task: [{ scope: "tasks:read", selection: `task(id: ${id("Task", ids.task)}) { uuid }` }],
    message: [{ scope: "messages:read", selection: `message(id: ${id("Message", ids.message)}) { uuid }` }],
    node: [
      node("agents:read", "Agent", ids.agent),
      node("agent_commands:read", "AgentCommand", ids.agentCommand),
      node("gateway:read", "Approval", ids.approval),
      node("gateway:read", "Decision", ids.decision),
      node("eval_runs:read", "EvalRun", ids.evalRun),
      node("gateway:read", "Execution", ids.execution),
      node("messages:read", "Message", ids.message),
      node("missions:read", "Mission", ids.mission),
      node("gateway:read", "Budget", ids.budget),
      node("events:read", "AlertRule", ids.alertRule),
      node("traces:read", "ModelPrice", ids.modelPrice),
      ...[node("mcp:read", "McpServer", ids.mcpServer), node("mcp:read", "McpTool", ids.mcpTool)],
      node("mcp:read", "McpCall", ids.mcpCall),
      node("gateway:read", "Policy", ids.policy),
      node("gateway:read", "GatewayEntity", ids.entity),
      node("robots:read", "Robot", ids.robot),
      node("tasks:read", "Task", ids.task),
      node("traces:read", "Trace", ids.trace),
    ],
    listVersion: [
      version("agent_commands:read", "AGENT_COMMANDS"),
      version("eval_runs:read", "EVAL_RUNS"),
      version("messages:read", "MESSAGES"),
      version("missions:read", "MISSIONS"),
      version("tasks:read", "TASKS"),
    ],
    introspectToken: [
      { scope: "tokens:introspect", selection: `introspectToken(token: "${workspace.agentToken}") { uuid }` },
    ],
    stops: [{ scope: "agents:read", selection: "stops { uuid }" }],
    agentTokens: [{ scope: null, selection: "agentTokens { uuid }" }],
    eventsPage: [{ scope: "events:read", selection: "eventsPage { cursor }" }],
    viewer: [{ scope: null, selection: "viewer { scopes }" }],
    overview: [
      { scope: null, selection: "overview(window: LAST_HOUR) { at emergencyStop { reason } }" },
      overview("agents:read", "agents { byPresence { total } }"),
      overview("tasks:read", "tasks { byStatus { total } }"),
      overview("messages:read", "questions { waiting }"),
      overview("agent_commands:read", "agentCommands { unacknowledged }"),
      overview("robots:read", "robots { emergencyStopped }"),
      overview("missions:read", "missions { byStatus { total } }"),
      overview("eval_runs:read", "evalRuns { latest { uuid } }"),
    ],
    timeseries: [
      timeseries("tasks:read", "TASK_WAIT_P95"),
      timeseries("agent_commands:read", "COMMANDS_ISSUED"),
      timeseries("missions:read", "MISSIONS_FINISHED"),
      timeseries("eval_runs:read", "EVAL_PASS_RATE"),
      timeseries("robots:read", "ROBOT_BATTERY"),
      timeseries("messages:read", "MESSAGES_SENT"),
    ],
    workspace: [{ scope: null, selection: "workspace { uuid }" }],
    agent: [{ scope: "agents:read", selection: `agent(id: ${id("Agent", ids.agent)}) { uuid }` }],
    updateOwnAgent: [{ scope: null, selection: 'updateOwnAgent(input: { name: "x" }) { agent { uuid } }' }],
    heartbeatAgent: [{ scope: null, selection: "heartbeatAgent(input: {}) { serverTime }" }],
    claimTask: [{ scope: "tasks:work", selection: "claimTask(input: {}) { task { uuid } }" }],
    cancelTask: [
      {
        scope: "tasks:write",
        selection: `cancelTask(input: { id: ${id("Task", ids.task)} }) { task { uuid } }`,
      },
    ],
    // Only the task's holder may do this: the scope is tested in test/domain/tasks/.
    ...Object.fromEntries(HOLDERS.map((name) => [name, []])),
    // A handle can be used only once: the scope is tested in test/domain/agents/.
    createAgent: [],
    createTask: [{ scope: "tasks:write", selection: 'createTask(input: { title: "x" }) { task { uuid } }' }],
    sendMessage: [
      { scope: "messages:write", selection: 'sendMessage(input: { parts: [{ text: "x" }] }) { created }' },
    ],
    createAgentToken: [
      { scope: null, selection: "createAgentToken(input: {}) { expiresIn }" },
      {
        scope: "agents:write",
        selection: 'createAgentToken(input: { agent: { handle: "another" } }) { expiresIn }',
      },
    ],
    createSocketToken: [{ scope: null, selection: "createSocketToken(input: {}) { expiresIn }" }],
    revokeToken: [{ scope: null, selection: 'revokeToken(input: { token: "x" }) { done }' }],
    ...Object.fromEntries(FOR_PEOPLE.map((name) => [name, []])),
    // Every credential may revoke what it has minted. This one hasn't minted it.
    revokeAgentToken: [],
  };
}

/** The error codes for a caller, one per call. */
async function listErrorCodes(
  client: TestClient,
  operation: string,
  used: Use[],
): Promise<(string | null)[]> {
  const codes: (string | null)[] = [];
  for (const { selection } of used) {
    const { body } = await client.graphql(`${operation} { ${selection} }`);
    codes.push(body.errors?.[0].extensions.code ?? null);
    if (body.errors !== undefined) expect(Object.values(body.data ?? {}).filter(Boolean)).toEqual([]);
  }
  return codes;
}

async function clientWith(scopes: readonly Scope[], kind: "key" | "token"): Promise<TestClient> {
  const key = createTestClient(server.url, await createKeyWith(server, workspace.workspaceId, scopes));
  if (kind === "key") return key;
  const { body } = await key.post("/api/v1/agent_tokens");
  return createTestClient(server.url, body.token);
}

describe.each(["query", "mutation"] as const)("scopes of every %s", (operation) => {
  it("are covered by this test", () => {
    const known = new Set(Object.keys(uses()));
    expect(
      rootFields(operation)
        .map(({ name }) => name)
        .filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it.each(["key", "token"] as const)("are required: a %s without the scope is rejected", async (kind) => {
    const used = rootFields(operation).flatMap(({ name }) => uses()[name] ?? []);
    for (const scope of new Set(used.map((use) => use.scope))) {
      if (scope === null) continue;
      const client = await clientWith(
        SCOPES.filter((other) => other !== scope),
        kind,
      );
      const needed = used.filter((use) => use.scope === scope);
      // Agent tokens can't mint anything, whatever their scopes.
      const code = kind === "token" && scope === "agents:write" ? "API_KEY_REQUIRED" : "INSUFFICIENT_SCOPE";
      expect(await listErrorCodes(client, operation, needed), scope).toEqual(needed.map(() => code));
    }
  });

  it("are sufficient: a key with only the scope is allowed", async () => {
    const used = rootFields(operation).flatMap(({ name }) => uses()[name] ?? []);
    for (const scope of new Set(used.map((use) => use.scope))) {
      const client = await clientWith([scope ?? "events:read"], "key");
      const needed = used.filter((use) => use.scope === scope);
      expect(await listErrorCodes(client, operation, needed), scope ?? "none").toEqual(
        needed.map(() => null),
      );
    }
  });
});

describe("node", () => {
  it("has a scope for every type it can return", () => {
    const members = Object.values(schema.getTypeMap()).filter(
      (type) => "getInterfaces" in type && type.getInterfaces().some(({ name }) => name === "Node"),
    );
    const asked = uses()["node"]?.map(({ selection }) => /"([^"]+)"/.exec(selection)?.[1] ?? "") ?? [];
    const typenames = asked.map((id) => Buffer.from(id, "base64").toString().split(":")[0] ?? "");
    expect(typenames.toSorted()).toEqual(members.map(({ name }) => name).toSorted());
  });

  it.each([
    "Workspace",
    "AgentToken",
    "SocketToken",
    "User",
    "ApiKey",
    "Nonsense",
    "constructor",
    "__proto__",
    "",
  ])("is null for a %s, which is not a node", async (typename) => {
    const client = createTestClient(server.url, workspace.apiKey);
    const id = toGlobalId(typename, workspace.workspaceId);
    const { body } = await client.graphql("query ($id: ID!) { node(id: $id) { id } }", { id });
    expect(body).toEqual({ data: { node: null } });
  });

  it("is null for unknown rows and malformed ids", async () => {
    const client = createTestClient(server.url, workspace.apiKey);
    for (const id of [
      toGlobalId("Task", crypto.randomUUID()),
      "",
      "x",
      "VGFzazo=",
      toGlobalId("Task", "1' OR '1"),
    ]) {
      const { body } = await client.graphql("query ($id: ID!) { node(id: $id) { id } }", { id });
      expect(body).toEqual({ data: { node: null } });
    }
  });
});

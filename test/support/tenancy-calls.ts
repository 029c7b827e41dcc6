import { positionCursor } from "../../src/domain/kernel/cursors.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, CallOutcome, RouteCall } from "./calls.ts";
import { alertCalls } from "./alert-calls.ts";
import { budgetCalls, budgetRoutes } from "./budget-calls.ts";
import { priceCalls } from "./price-calls.ts";
import { commandCalls, commandRoutes } from "./command-calls.ts";
import { directoryCalls } from "./directory-calls.ts";
import { evalCalls, evalRoutes } from "./eval-calls.ts";
import { factorCalls } from "./factor-calls.ts";
import { gatewayCalls, gatewayRoutes } from "./gateway-calls.ts";
import { missionCalls, missionRouteCalls } from "./mission-calls.ts";
import { webhookCalls } from "./webhook-calls.ts";
import { workloadCalls } from "./workload-calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";
import { signInCalls } from "./sign-in-calls.ts";
import { supervisionCalls, supervisionRoutes } from "./supervision-calls.ts";
import { traceCalls, traceRoutes } from "./trace-calls.ts";

/** Calls of each field of Query and Mutation with another workspace's ids. */
export function fieldCalls(other: PopulatedWorkspace): Record<string, FieldCall[]> {
  const { ids } = other;
  const id = (typename: string, uuid: string) => toGlobalId(typename, uuid);
  const after = positionCursor({ createdAt: new Date(8_640_000_000_000), id: ids.task });
  const list: FieldCall[] = [
    { args: {}, outcome: "own" },
    { args: { first: 50, after }, outcome: "own" },
    { args: { first: 50, offset: 0 }, outcome: "own" },
  ];
  const own: FieldCall[] = [{ args: {}, outcome: "own" }];
  const tokens = [other.apiKey, other.agentToken, other.socketToken, other.scimToken];
  const ofInput = (inputs: Record<string, unknown>[], outcome: CallOutcome): FieldCall[] =>
    inputs.map((input) => ({ args: { input }, outcome }));
  return {
    agents: [
      ...list,
      { args: { filter: { labels: { word: other.word } } }, outcome: "own" },
      { args: { filter: { search: other.word } }, outcome: "own" },
    ],
    ...commandCalls(other),
    ...evalCalls(other),
    ...budgetCalls(other),
    ...alertCalls(other),
    ...priceCalls(other),
    ...gatewayCalls(other),
    ...traceCalls(other),
    messages: [
      ...list,
      { args: { filter: { contextId: ids.context, taskId: id("Task", ids.task) } }, outcome: "own" },
      { args: { filter: { missionId: id("Mission", ids.mission) } }, outcome: "own" },
      { args: { filter: { senderUuid: ids.agent } }, outcome: "own" },
    ],
    ...missionCalls(other),
    floorPlans: own,
    setFloorPlan: [
      {
        args: { input: { mapId: other.word, resolution: 1, originX: 0, originY: 0 } },
        outcome: "VALIDATION_FAILED",
        forPeople: true,
      },
    ],
    deleteFloorPlan: [{ args: { input: { mapId: other.word } }, outcome: "NOT_FOUND", forPeople: true }],
    robots: [...list, { args: { filter: { search: other.word } }, outcome: "own" }],
    tasks: [
      ...list,
      {
        args: { filter: { contextId: ids.context, assigneeAgentId: id("Agent", ids.agent) } },
        outcome: "own",
      },
      { args: { filter: { claimedByAgentId: id("Agent", ids.agent) } }, outcome: "own" },
      { args: { filter: { parentTaskId: id("Task", ids.task) } }, outcome: "own" },
      { args: { filter: { missionId: id("Mission", ids.mission) } }, outcome: "own" },
      { args: { filter: { search: other.word } }, outcome: "own" },
    ],
    agentTokens: [...own, { args: { agentId: id("Agent", ids.agent) }, outcome: "own" }],
    conversations: [...list, { args: { filter: { waiting: true } }, outcome: "own" }],
    ...{ queues: own, taskCounts: own, viewer: own, workspace: own },
    recentEvents: [...own, { args: { first: 50 }, outcome: "own" }],
    subjectEvents: [
      { args: { subject: ids.task }, outcome: "own" },
      { args: { subject: id("Task", ids.task) }, outcome: "own" },
    ],
    eventsPage: [
      { args: { first: 500 }, outcome: "own" },
      { args: { subject: ids.task, types: ["*"] }, outcome: "own" },
      { args: { after: other.eventCursor }, outcome: "VALIDATION_FAILED" },
    ],
    ...dashboardCalls(),
    listVersion: [{ args: { of: "TASKS" }, outcome: "own" }],
    task: [{ args: { id: id("Task", ids.task) }, outcome: "NOT_FOUND" }],
    message: [{ args: { id: id("Message", ids.message) }, outcome: "NOT_FOUND" }],
    ...settingsCalls(other),
    ...workloadCalls(other),
    ...webhookCalls(other),
    ...supervisionCalls(other),
    ...directoryCalls(other),
    node: nodeIds(other).map((nodeId) => ({ args: { id: nodeId }, outcome: null })),
    introspectToken: tokens.map((token) => ({ args: { token }, outcome: null })),
    revokeToken: ofInput(
      tokens.map((token) => ({ token })),
      "own",
    ),
    revokeAgentToken: ofInput([{ id: id("AgentToken", ids.agentToken) }], "NOT_FOUND"),
    createAgentToken: ofInput([{ agent: { handle: `handle-${other.word}` } }], "own"),
    createSocketToken: ofInput([{}], "own"),
    createTask: [
      ...ofInput([{ title: "x", assigneeAgentId: id("Agent", ids.agent) }], "VALIDATION_FAILED"),
      ...ofInput([{ title: "x", parentTaskId: id("Task", ids.task) }], "VALIDATION_FAILED"),
      ...ofInput([{ title: "x", contextId: ids.context }], "own"),
    ],
    sendMessage: [
      ...ofInput(
        [
          { taskId: id("Task", ids.task) },
          { missionId: id("Mission", ids.mission) },
          { recipientAgentId: id("Agent", ids.agent) },
          { replyToId: id("Message", ids.message) },
          { replyToId: id("Message", ids.message), kind: "ANSWER" },
          { referenceTaskIds: [id("Task", ids.task)] },
        ].map((input) => ({ parts: [{ text: "x" }], ...input })),
        "VALIDATION_FAILED",
      ),
      ...ofInput([{ parts: [{ text: "x" }], uuid: ids.message, contextId: ids.context }], "own"),
    ],
  };
}

/** Calls of fields about the whole workspace, which take no ids. */
function dashboardCalls(): Record<string, FieldCall[]> {
  const to = new Date(Date.now() + 60_000).toISOString();
  const hour = { from: new Date(Date.now() - 3_600_000).toISOString(), to, step: 60 };
  return {
    overview: [{ args: { window: "LAST_HOUR" }, outcome: "own" }],
    timeseries: [
      { args: { metric: "TASKS_CREATED", groupBy: "QUEUE", ...hour }, outcome: "own" },
      { args: { metric: "COMMANDS_ISSUED", groupBy: "AGENT", ...hour }, outcome: "own" },
      { args: { metric: "ROBOT_BATTERY", groupBy: "ROBOT", ...hour }, outcome: "own" },
    ],
  };
}

/** Calls of the settings' fields, for users only, with another workspace's ids. */
function settingsCalls({ ids, word, agentToken }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [user, apiKey] = [toGlobalId("User", ids.user), toGlobalId("ApiKey", ids.apiKey)];
  const scimToken = toGlobalId("ScimToken", ids.scimToken);
  const calls = (outcome: CallOutcome, ...all: Record<string, unknown>[]): FieldCall[] =>
    all.map((args) => ({ args, outcome, forPeople: true }));
  const refused = (...inputs: Record<string, unknown>[]) =>
    calls("NOT_FOUND", ...inputs.map((input) => ({ input })));
  const email = `${word}@example.com`;
  return {
    user: calls("NOT_FOUND", { id: user }),
    users: calls("own", {}, { first: 50 }, { filter: { query: word } }),
    apiKey: calls("NOT_FOUND", { id: apiKey }),
    apiKeys: calls("own", {}, { first: 50, filter: { valid: true } }),
    scimTokens: calls("own", {}),
    socketTokens: calls("own", {}),
    sessions: calls("own", {}),
    notificationSettings: calls("own", {}),
    search: calls("own", { text: word }, { text: ids.task }, { text: ids.agent, kinds: ["AGENT", "ROBOT"] }),
    quotas: calls("own", {}),
    auditEvents: calls("own", {}, { filter: { actorId: ids.user } }, { filter: { targetId: ids.apiKey } }),
    inviteUser: calls("own", { input: { email, role: "VIEWER" } }),
    resendInvitation: refused({ id: user }),
    updateUserRole: refused({ id: user, role: "VIEWER" }),
    suspendUser: refused({ id: user }),
    unsuspendUser: refused({ id: user }),
    deleteUser: refused({ id: user }),
    createApiKey: refused({ name: "x", scopes: ["tasks:read"], agentHandle: `handle-${word}` }),
    updateApiKey: refused({ id: apiKey, name: "x" }),
    rotateApiKey: refused({ id: apiKey }),
    revokeApiKey: refused({ id: apiKey }),
    rotateScimToken: calls("own", { input: {} }),
    revokeScimToken: refused({ id: scimToken }),
    ...signInCalls(ids),
    ...factorCalls(ids),
    updateWorkspace: calls("own", { input: { name: "x" } }),
    revokeSession: refused({ id: toGlobalId("Session", ids.session) }),
    revokeOtherSessions: calls("own", { input: {} }),
    confirmPassword: calls("VALIDATION_FAILED", { input: { password: agentToken } }),
    changePassword: calls("VALIDATION_FAILED", {
      input: { currentPassword: "x", newPassword: "x", newPasswordConfirmation: "x" },
    }),
    updateProfile: calls("own", { input: { name: "x" } }),
    updateNotificationSettings: calls("own", { input: { alerts: true } }),
    archivedInboxItems: calls("own", {}),
    archiveInboxItem: calls("own", { input: { key: ids.message } }),
    unarchiveInboxItem: calls("own", { input: { key: ids.message } }),
    requestEmailChange: calls("own", { input: { email } }),
    // It takes no id, and would log the test out.
    logOutEverywhere: [],
  };
}

/** The global id of every row of the other workspace, under every type with ids. */
function nodeIds({ ids, workspaceId }: PopulatedWorkspace): string[] {
  return [
    ...[toGlobalId("Agent", ids.agent), toGlobalId("Agent", ids.robot)],
    toGlobalId("AgentCommand", ids.agentCommand),
    toGlobalId("AgentToken", ids.agentToken),
    toGlobalId("ApiKey", ids.apiKey),
    ...[toGlobalId("Budget", ids.budget), toGlobalId("AlertRule", ids.alertRule)],
    toGlobalId("ModelPrice", ids.modelPrice),
    ...[toGlobalId("McpServer", ids.mcpServer), toGlobalId("McpTool", ids.mcpTool)],
    ...[toGlobalId("McpCall", ids.mcpCall), toGlobalId("Approval", ids.approval)],
    toGlobalId("Decision", ids.decision),
    toGlobalId("EvalRun", ids.evalRun),
    toGlobalId("Execution", ids.execution),
    ...[toGlobalId("Message", ids.message), toGlobalId("Mission", ids.mission)],
    ...[toGlobalId("Policy", ids.policy), toGlobalId("Passkey", ids.passkey)],
    toGlobalId("GatewayEntity", ids.entity),
    toGlobalId("Robot", ids.robot),
    toGlobalId("ScimToken", ids.scimToken),
    toGlobalId("Session", ids.session),
    toGlobalId("SignInDomain", ids.signInDomain),
    toGlobalId("SocketToken", ids.socketToken),
    ...[toGlobalId("Task", ids.task), toGlobalId("Trace", ids.trace)],
    toGlobalId("User", ids.user),
    toGlobalId("Workspace", workspaceId),
  ];
}

/** Calls of each route with another workspace's ids. */
export function routeCalls(other: PopulatedWorkspace): Record<string, RouteCall[]> {
  const { ids } = other;
  const tokens = [other.apiKey, other.agentToken, other.socketToken, other.scimToken];
  const get = (...paths: string[]): RouteCall[] => paths.map((path) => ({ path, status: 200 }));
  const post = (path: string, status: number, ...bodies: unknown[]): RouteCall[] =>
    bodies.map((body) => ({ path, body, status }));
  const parts = [{ text: "x" }];
  return {
    // First, because the token's new agent would be listed under the same handle.
    ...supervisionRoutes(other),
    ...commandRoutes(other),
    ...evalRoutes(other),
    ...budgetRoutes(other),
    ...gatewayRoutes(other),
    ...traceRoutes(other),
    ...missionRouteCalls(other),
    "GET /api/v1/agent_tokens": get("/api/v1/agent_tokens", "/api/v1/agent_tokens?limit=100"),
    "POST /api/v1/agent_tokens": [
      ...post("/api/v1/agent_tokens", 201, { agent: { handle: `handle-${other.word}` } }),
      ...post("/api/v1/agent_tokens", 422, { workspace_id: other.workspaceId }, { agent_id: ids.agent }),
    ],
    "DELETE /api/v1/agent_tokens/:id": [{ path: `/api/v1/agent_tokens/${ids.agentToken}`, status: 404 }],
    "POST /api/v1/socket_tokens": [
      ...post("/api/v1/socket_tokens", 201, {}),
      ...post("/api/v1/socket_tokens", 422, { workspace_id: other.workspaceId }, { agent_id: ids.agent }),
    ],
    "POST /api/v1/tokens/introspect": post(
      "/api/v1/tokens/introspect",
      200,
      ...tokens.map((token) => ({ token })),
    ),
    "POST /api/v1/tokens/revoke": post("/api/v1/tokens/revoke", 200, ...tokens.map((token) => ({ token }))),
    "GET /api/v1/events": [
      ...get("/api/v1/events", `/api/v1/events?subject=${ids.task}`),
      { path: `/api/v1/events?after=${other.eventCursor}`, status: 400 },
    ],
    "GET /api/v1/whoami": [
      ...get("/api/v1/whoami"),
      { path: `/api/v1/whoami?workspace_id=${other.workspaceId}`, status: 400 },
    ],
    "GET /api/v1/messages": get("/api/v1/messages", `/api/v1/messages?limit=100&context_id=${ids.context}`),
    "GET /api/v1/messages/:id": [{ path: `/api/v1/messages/${ids.message}`, status: 404 }],
    "POST /api/v1/messages": [
      ...post(
        "/api/v1/messages",
        422,
        { parts, task_id: ids.task },
        { parts, mission_id: ids.mission },
        { parts, recipient_agent_id: ids.agent },
        { parts, reply_to_id: ids.message },
        { parts, reference_task_ids: [ids.task] },
      ),
      // The id is available in the caller's own workspace.
      ...post("/api/v1/messages", 201, { parts, id: ids.task, context_id: ids.context }),
    ],
    "GET /api/v1/tasks": get("/api/v1/tasks", `/api/v1/tasks?limit=100&workspace_id=${other.workspaceId}`),
    "GET /api/v1/tasks/:id": [{ path: `/api/v1/tasks/${ids.task}`, status: 404 }],
    "POST /api/v1/tasks": [
      ...post(
        "/api/v1/tasks",
        422,
        { title: "x", assignee_agent_id: ids.agent },
        { title: "x", parent_task_id: ids.task },
        { title: "x", workspace_id: other.workspaceId },
      ),
      ...post("/api/v1/tasks", 201, { title: "x", context_id: ids.context }),
    ],
    "GET /api/v1/operator/robots": get("/api/v1/operator/robots"),
    "GET /api/v1/openapi.json": get("/api/v1/openapi.json"),
    "GET /api/v1/docs": get("/api/v1/docs"),
  };
}

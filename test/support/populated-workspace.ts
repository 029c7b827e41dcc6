import { randomBytes } from "node:crypto";
import { vi } from "vitest";
import { createUser } from "../../src/auth/users/create-user.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createDirectoryGroup } from "../../src/domain/directory/create-directory-group.ts";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { saveEntity } from "../../src/domain/gateway-entities/save-entity.ts";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { reserveBudget } from "../../src/domain/budgets/reserve-budget.ts";
import { setModelPrice } from "../../src/domain/prices/set-model-price.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { agentCtx } from "./agent-ctx.ts";
import { createTestClient } from "./test-client.ts";
import {
  createAgentCommand,
  insertTestAgent,
  insertTestAlertRule,
  insertTestEvalRun,
  insertTestFloorPlan,
  insertTestMission,
  insertTestMissionTemplate,
} from "./factories.ts";
import { insertTestApproval } from "./test-approvals.ts";
import { insertTestMcpCall } from "./test-mcp-calls.ts";
import { insertTestMcpServer } from "./test-mcp-server.ts";
import { insertTestSignIn } from "./test-sign-in.ts";
import { OWN_PRICE } from "./own-price.ts";
import { insertTestExecution } from "./test-executions.ts";
import { PATIENCE } from "./patience.ts";
import { beginTestSession } from "./people.ts";
import { insertRemainingRows } from "./remaining-rows.ts";
import { sendScoredTrace } from "./scored-trace.ts";
import type { TestServer } from "./server.ts";
import { type WebhookId, insertWebhook } from "./webhook-scene.ts";
import { insertTrust } from "./workload-scene.ts";

/** A workspace with rows in every table. */
export type PopulatedWorkspace = {
  workspaceId: string;
  /** A word in every text of its rows. */
  word: string;
  ctx: Ctx;
  apiKey: string;
  agentToken: string;
  socketToken: string;
  scimToken: string;
  /** Logs in as its owner. */
  session: string;
  /** A cursor of its events. */
  eventCursor: string;
  /** Of its command. */
  batchId: string;
  ids: Record<
    | "agent"
    | "agentCommand"
    | "agentToken"
    | "apiKey"
    | "budget"
    | "alertRule"
    | "approval"
    | "context"
    | "decision"
    | "entity"
    | "evalRun"
    | "execution"
    | "group"
    | "message"
    | "mission"
    | "mcpCall"
    | "mcpServer"
    | "mcpTool"
    | "modelPrice"
    | "passkey"
    | "policy"
    | "reservation"
    | "robot"
    | "scimToken"
    | "signInDomain"
    | "score"
    | "session"
    | "socketToken"
    | "workloadTrust"
    | WebhookId
    | "stop"
    | "task"
    | "trace"
    | "user",
    string
  >;
};

/** A stop of no agent, and one that it resumed. */
async function insertStop(
  { database }: TestServer,
  { workspaceId }: Ctx,
  { agent, word }: { agent: string; word: string },
): Promise<string> {
  const id = crypto.randomUUID();
  await database.query(
    `INSERT INTO stop (workspace_id, id, labels, reason, by, at, sent)
     VALUES ($1, $2, jsonb_build_object('stopped', $3::text), $3, '{"type": "system", "id": null, "name": "x"}', now(), true)`,
    [workspaceId, id, word],
  );
  await database.query(
    `INSERT INTO resumed_agent (workspace_id, stop_id, agent_id, stage_id, sent)
     VALUES ($1, $2, $3, gen_random_uuid(), true)`,
    [workspaceId, id, agent],
  );
  return id;
}

/** Creates a workspace with at least one row in every table with a workspace. */
export async function createPopulatedWorkspace(server: TestServer): Promise<PopulatedWorkspace> {
  const word = `word${randomBytes(8).toString("hex")}`;
  const { workspaceId, apiKey, scimToken } = await server.createWorkspace(`Workspace ${word}`);
  const ctx = server.systemCtx(workspaceId);
  const agent = await insertTestAgent(ctx);
  const robot = await insertTestAgent(ctx, "robot");
  const mission = await insertTestMission(ctx, { title: word, robotId: robot });
  const task = await createTask(ctx, { title: word, assigneeAgentId: agent, metadata: { word } });
  const about = { contextId: task.contextId, taskId: task.id, recipientAgentId: agent };
  const { message } = await sendMessage(ctx, { ...about, parts: [{ text: word }] });
  await sendMessage(ctx, { replyToId: message.id, parts: [{ text: word }], missionId: null });
  const evalRun = await insertTestEvalRun(ctx, { name: word, agentId: agent });
  const batchId = crypto.randomUUID();
  const agentCommand = await createAgentCommand(ctx, agent, {
    batchId,
    params: { word },
    taskId: task.id,
    missionId: mission,
  });
  const mcp = await insertTestMcpServer(ctx, word);
  const mcpCall = await insertTestMcpCall(ctx, { agentId: agent, serverId: mcp.server.id, serverSlug: word });
  const signInDomain = await insertTestSignIn(ctx, word);
  const policy = await createPolicy(ctx, {
    ...{
      name: word,
      effect: "deny",
      actions: ["*"],
      description: word,
      when: `has(request.word) && request.word == "${word}"`,
    },
  });
  const entity = await saveEntity(ctx, { type: "user", entityId: word, properties: { word } });
  const budget = await createBudget(ctx, {
    ...{ name: word, description: word, scope: { type: "each_label", label: word } },
    ...{ unit: "calls", limit: "1000", period: "total" },
  });
  const everybody = { scope: { type: "workspace" }, unit: "calls", limit: "1000", period: "day" } as const;
  await createBudget(ctx, { ...everybody, name: `all of ${word}` });
  const { reservation } = await reserveBudget(agentCtx(server, { id: agent, workspaceId }), {});
  const user = await createUser(ctx, server.services.passwords, {
    email: `${word}@example.com`,
    password: `password of ${word}`,
    name: word,
    role: "owner",
  });
  const attributes = { displayName: word, members: [{ value: user }] };
  const { id: group } = await createDirectoryGroup(ctx, { attributes });
  const client = createTestClient(server.url, apiKey);
  const token = await client.post("/api/v1/agent_tokens", { name: word });
  const socket = await createTestClient(server.url, token.body.token).post("/api/v1/socket_tokens");
  await client.post("/api/v1/tasks", { title: word }, { "idempotency-key": word });
  const check = await client.post("/api/v1/gateway/check", {
    request: { action: { name: word }, resource: { type: "tool", id: word }, context: { word } },
  });
  const asked = { action: { name: word }, resource: { type: "tool", id: word }, context: { word } };
  const approval = await insertTestApproval(ctx, asked, {
    ...{ agentId: agent, policies: [policy], status: "pending", approvedUntil: null, taskId: task.id },
  });
  const done = { approvalId: approval, useNumber: 1, action: word, resourceId: word, result: { word } };
  const execution = await insertTestExecution(ctx, { agentId: agent, ...done });
  await insertRemainingRows(server, ctx, { approval, user, evalRun, mission, robot, task: task.id });
  await insertTestFloorPlan(ctx, word);
  await insertTestMissionTemplate(ctx, word);
  const { trace, score } = await sendScoredTrace(client, word);
  const stop = await insertStop(server, ctx, { agent, word });
  const workloadTrust = await insertTrust(ctx, word);
  await waitForSums(server, workspaceId);
  const session = await beginTestSession(server, { id: user, workspaceId });
  const own = { where: {}, select: { id: true } };
  return {
    ...{ workspaceId, word, ctx, apiKey, scimToken, batchId, session },
    agentToken: token.body.token,
    socketToken: socket.body.token,
    eventCursor: (await listEvents(ctx, {})).cursor,
    ids: {
      agent,
      agentCommand,
      agentToken: token.body.id,
      ...{ budget: budget.id, alertRule: await insertTestAlertRule(ctx, word) },
      signInDomain,
      ...{ mcpCall, mcpServer: mcp.server.id, mcpTool: mcp.tool.id },
      modelPrice: (await setModelPrice(ctx, { ...OWN_PRICE, provider: word, model: word })).id,
      approval,
      apiKey: (await ctx.db.apiKey.findFirstOrThrow(own)).id,
      context: task.contextId,
      decision: check.body.check.id,
      entity: entity.id,
      ...{ evalRun, execution, group },
      message: message.id,
      mission,
      ...{ policy: policy.id, passkey: (await ctx.db.passkey.findFirstOrThrow(own)).id },
      reservation: reservation.id,
      robot,
      scimToken: (await ctx.db.scimToken.findFirstOrThrow(own)).id,
      score,
      session: (await ctx.db.userToken.findFirstOrThrow({ ...own, where: { context: "session" } })).id,
      ...{ stop, trace, user, workloadTrust, ...(await insertWebhook(ctx, word)) },
      socketToken: socket.body.id,
      task: task.id,
    },
  };
}

/** Within a second or two decisions are counted, charges are, the service's spans are stored, and events say so. */
async function waitForSums({ database }: TestServer, workspaceId: string): Promise<void> {
  await vi.waitFor(async () => {
    const found = await database.query(
      `SELECT 1 FROM decision_sum JOIN policy_sum USING (workspace_id) JOIN event USING (workspace_id)
       WHERE workspace_id = $1 AND event.type = 'decision.denied'
         AND EXISTS (SELECT 1 FROM event e WHERE e.workspace_id = $1 AND e.type = 'trace.updated')
         AND NOT EXISTS (SELECT 1 FROM budget_charge c WHERE c.workspace_id = $1)
         AND NOT EXISTS (SELECT 1 FROM queued_span s WHERE s.workspace_id = $1)`,
      [workspaceId],
    );
    if (found.length === 0) throw new Error("not all is counted yet");
  }, PATIENCE);
}

/** Every table with a workspace's rows. */
export async function tenantTables({ database }: TestServer): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = 'workspace_id' AND NOT a.attisdropped ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Every row of a workspace, except what changes by the use of its credentials, and its size, measured from time to time. */
export async function readRows(server: TestServer, workspaceId: string): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of await tenantTables(server)) {
    const found = await server.database.query<{ row: unknown }>(
      `SELECT to_jsonb(t) - 'last_used_at' - 'last_used_ip' - 'last_seen_at'
         - 'storage_at' - 'storage_bytes' AS row FROM "${table}" t
       WHERE workspace_id = $1 ORDER BY 1`,
      [workspaceId],
    );
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { type BegunCall, beginMcpCall } from "../../../src/domain/mcp/begin-mcp-call.ts";
import { findCallableTool } from "../../../src/domain/mcp/find-callable-tool.ts";
import { reviewMcpTools } from "../../../src/domain/mcp/review-mcp-tools.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { CALLS } from "../../support/budget-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW } from "../../support/gateway-scene.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { findTool, insertTestMcpServer, storeTools } from "../../support/test-mcp-server.ts";

let server: QuietServices;
let ctx: Ctx;
let serverId: string;
/** Runs after a call was decided, before it is stored. */
let afterDecision: () => Promise<void>;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  serverId = (await insertTestMcpServer(ctx, "shop")).server.id;
  await review("approve");
  await createPolicy(ctx, ALLOW);
  afterDecision = async () => {};
});

async function review(verdict: "approve" | "block"): Promise<void> {
  const { id, hash } = await findTool(ctx, serverId, "refund");
  await reviewMcpTools(ctx, { serverId, verdict, tools: [{ id, hash: Buffer.from(hash).toString("hex") }] });
}

async function openAgent(): Promise<{ agent: Ctx; agentId: string }> {
  const agentId = await insertTestAgent(ctx);
  const { services } = server;
  const runInTurns: typeof services.policies.runInTurns = async (workspaceId, work) => {
    const decided = await services.policies.runInTurns(workspaceId, work);
    await afterDecision();
    return decided;
  };
  const watched = { ...services, policies: { ...services.policies, runInTurns } };
  const place = { id: agentId, workspaceId: ctx.workspaceId };
  return { agent: agentCtx({ ...server, services: watched }, place), agentId };
}

async function begin(agent: Ctx, args: object = { amount: 1 }): Promise<BegunCall> {
  const { server: shop, tool } = await findCallableTool(agent, { slug: "shop", name: "refund" });
  return beginMcpCall(agent, {
    ...{ server: shop, tool, arguments: args, taskId: null, protocolVersion: "2026-07-28" },
    ...{ requestBytes: 12, waitSeconds: 0, onWait: () => {} },
  });
}

type CallRow = { id: string; agent: string; call: string; execution: string; at_once: boolean; xmin: string };

async function readCalls(): Promise<CallRow[]> {
  return server.database.query<CallRow>(
    `SELECT e.id, e.agent_id AS agent, c.status AS call, e.status AS execution, c.created_at = e.created_at AS at_once,
       e.xmin::text
     FROM execution e LEFT JOIN mcp_call c ON c.workspace_id = e.workspace_id AND c.id = e.id
     WHERE e.workspace_id = $1 ORDER BY e.id`,
    [ctx.workspaceId],
  );
}

async function readTotals(): Promise<Record<string, number>> {
  const rows = await server.database.query<{ collection: string; total: number }>(
    `SELECT collection, total::int AS total FROM collection_total
     WHERE workspace_id = $1 AND collection IN ('mcp_calls', 'executions') AND facet = 'started'`,
    [ctx.workspaceId],
  );
  return Object.fromEntries(rows.map(({ collection, total }) => [collection, total]));
}

/** Runs once, and everybody waits for it. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  return async () => {
    await (running ??= work());
  };
}

describe("beginMcpCall", () => {
  it("stores each of many calls of several agents before it returns, with few transactions", async () => {
    const agents = await Promise.all(Array.from({ length: 4 }, openAgent));
    const callers = agents.flatMap(({ agent, agentId }) =>
      Array.from({ length: 6 }, () => ({ agent, agentId })),
    );
    const begun = await Promise.all(
      callers.map(async ({ agent, agentId }) => {
        const answer = await begin(agent);
        const id = answer.kind === "begun" ? answer.execution.id : "";
        expect((await readCalls()).map((call) => call.id)).toContain(id);
        return { id, agent: agentId };
      }),
    );
    const stored = await readCalls();
    const row = { call: "started", execution: "started", at_once: true };
    const byId = begun.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(stored).toMatchObject(byId.map((one) => ({ ...one, ...row })));
    expect(new Set(stored.map(({ xmin }) => xmin)).size).toBeLessThan(callers.length / 2);
    expect(await readTotals()).toEqual({ mcp_calls: callers.length, executions: callers.length });
    const spans = await server.database.query("SELECT 1 FROM queued_span WHERE workspace_id = $1", [
      ctx.workspaceId,
    ]);
    expect(spans.length).toBeGreaterThanOrEqual(callers.length);
  });

  it.each([
    ["a policy forbids it", "policy_denied", async () => createPolicy(ctx, DENY)],
    ["an admin blocks its tool", "forbidden", async () => review("block")],
    ["its server changes the tool", "forbidden", async () => storeTools(ctx, serverId, [CHANGED])],
  ])("begins nothing if %s after it was decided", async (_, code, change) => {
    const { agent } = await openAgent();
    afterDecision = once(change);
    expect(await getErrorCode(begin(agent))).toBe(code);
    expect(await readCalls()).toEqual([]);
  });

  it("begins nothing for an agent that is paused after it was decided, and all others", async () => {
    const [paused, other] = [await openAgent(), await openAgent()];
    afterDecision = once(() => setAgentControlState(ctx, { id: paused.agentId, controlState: "paused" }));
    const [refused, begun] = await Promise.allSettled([begin(paused.agent), begin(other.agent)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "agent_paused" } });
    expect(begun).toMatchObject({ status: "fulfilled", value: { kind: "begun" } });
    expect(await readCalls()).toMatchObject([{ agent: other.agentId }]);
  });

  it("asks policies again if others were made meanwhile that allow it too", async () => {
    const { agent } = await openAgent();
    afterDecision = once(() => createPolicy(ctx, { ...ALLOW, name: "more" }));
    expect(await begin(agent)).toMatchObject({ kind: "begun" });
    expect(await readCalls()).toHaveLength(1);
  });

  it("doesn't keep the others waiting for an agent that another transaction changes", async () => {
    const [held, other] = [await openAgent(), await openAgent()];
    const lock = await holdLock(server.database, "SELECT 1 FROM agent WHERE id = $1 FOR UPDATE", [
      held.agentId,
    ]);
    const late = begin(held.agent);
    expect(await begin(other.agent)).toMatchObject({ kind: "begun" });
    await lock.waiters(1);
    expect(await readCalls()).toMatchObject([{ agent: other.agentId }]);
    await lock.release();
    expect(await late).toMatchObject({ kind: "begun" });
  });

  it("counts in budgets, which refuse what is too much", async () => {
    await createBudget(ctx, { ...CALLS, limit: "2" });
    const { agent } = await openAgent();
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(agent)));
    const kinds = answers.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["begun", "begun", "refused", "refused", "refused"]);
    expect(await readCalls()).toHaveLength(2);
  });
});

const DENY: PolicyRuleInput = { name: "none", effect: "deny", actions: ["tools/call"] };
const CHANGED = { name: "refund", description: "Pays out.", inputSchema: { type: "object" } } as const;

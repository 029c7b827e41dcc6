import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { endMcpCall } from "../../../src/domain/mcp/end-mcp-call.ts";
import type { McpCallEnd } from "../../../src/domain/mcp/end-mcp-calls-in.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { insertTestMcpCall } from "../../support/test-mcp-calls.ts";

let server: QuietServices;
let ctx: Ctx;
let agentId: string;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  agentId = await insertTestAgent(ctx);
});

const ERROR = { code: "connection_lost", message: "The connection ended." };
const SEEN = { isError: false, answerBytes: 30, durationMs: 12.6 };

async function insertCalls(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(await insertTestMcpCall(ctx, { agentId }));
  return ids;
}

async function readCalls(): Promise<object[]> {
  return server.database.query(
    `SELECT c.id, c.status, e.status AS execution, c.is_error, c.answer_bytes, c.duration_ms, e.error, e.effect, c.generation,
       c.ended_at = e.ended_at AS at_once
     FROM mcp_call c JOIN execution e ON e.workspace_id = c.workspace_id AND e.id = c.id
     WHERE c.workspace_id = $1 ORDER BY c.id`,
    [ctx.workspaceId],
  );
}

async function readTotals(): Promise<Record<string, number>> {
  const rows = await server.database.query<{ name: string; total: number }>(
    `SELECT collection || ' ' || facet AS name, total::int AS total FROM collection_total
     WHERE workspace_id = $1 AND collection IN ('mcp_calls', 'executions') AND facet <> 'all'`,
    [ctx.workspaceId],
  );
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
}

describe("endMcpCall", () => {
  it("stores each of many ends at once, with their totals and spans", async () => {
    const ids = await insertCalls(6);
    const ends: McpCallEnd[] = ids.map((_, at) => {
      if (at === 0) return { status: "unknown", error: ERROR, effect: "unknown" };
      return at === 1
        ? { status: "failed", error: ERROR, effect: "none", seen: SEEN }
        : { status: "completed", seen: SEEN };
    });
    const heads = await readHead();
    await Promise.all(ids.map(async (id, at) => endMcpCall(ctx, id, ends[at] ?? { status: "completed" })));
    // One event, of the unknown one, in one transaction or two.
    expect((await readHead()).seq - heads.seq).toBe(1);
    const ended = { answer_bytes: 30, duration_ms: 13, is_error: false, generation: 2, at_once: true };
    const completed = { ...ended, status: "completed", execution: "completed", error: null, effect: null };
    expect(await readCalls()).toMatchObject([
      {
        status: "unknown",
        execution: "unknown",
        error: ERROR,
        effect: "unknown",
        is_error: null,
        duration_ms: null,
      },
      { ...ended, status: "failed", execution: "failed", error: ERROR, effect: "none" },
      ...Array.from({ length: 4 }, () => completed),
    ]);
    expect(await readTotals()).toMatchObject({
      ...{ "mcp_calls started": 0, "mcp_calls completed": 4, "mcp_calls failed": 1, "mcp_calls unknown": 1 },
      ...{
        "executions started": 0,
        "executions completed": 4,
        "executions failed": 1,
        "executions unknown": 1,
      },
    });
    const spans = await server.database.query("SELECT 1 FROM queued_span WHERE workspace_id = $1", [
      ctx.workspaceId,
    ]);
    expect(spans).toHaveLength(6);
  });

  it("leaves what its execution was taken for meanwhile, but notes what was seen", async () => {
    const [id = ""] = await insertCalls(1);
    await endMcpCall(ctx, id, { status: "unknown", error: ERROR, effect: "unknown" });
    await endMcpCall(ctx, id, { status: "completed", seen: SEEN });
    expect(await readCalls()).toMatchObject([
      { status: "unknown", execution: "unknown", answer_bytes: 30, duration_ms: 13, generation: 2 },
    ]);
  });

  it("doesn't keep the others waiting for one that another transaction holds", async () => {
    const [held = "", ...others] = await insertCalls(3);
    const lock = await holdLock(server.database, "SELECT 1 FROM execution WHERE id = $1 FOR UPDATE", [held]);
    const late = endMcpCall(ctx, held, { status: "completed", seen: SEEN });
    await Promise.all(others.map(async (id) => endMcpCall(ctx, id, { status: "completed" })));
    expect(await readCalls()).toMatchObject([
      { status: "started" },
      { status: "completed" },
      { status: "completed" },
    ]);
    await lock.waiters(1);
    await lock.release();
    await late;
    expect((await readCalls())[0]).toMatchObject({ status: "completed", duration_ms: 13 });
  });
});

async function readHead(): Promise<{ seq: number }> {
  const [head] = await server.database.query<{ seq: number }>(
    "SELECT seq::int FROM workspace_head WHERE workspace_id = $1",
    [ctx.workspaceId],
  );
  return head ?? { seq: 0 };
}

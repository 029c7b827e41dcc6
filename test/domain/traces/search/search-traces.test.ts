import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TRACE_PARTITIONS, createDayPartitions } from "../../../../src/domain/retention/day-partitions.ts";
import type { Ctx } from "../../../../src/domain/kernel/context.ts";
import { getReadBytes } from "../../../../src/domain/kernel/read-bytes.ts";
import { listTraces } from "../../../../src/domain/traces/list-traces.ts";
import { readCandidates } from "../../../../src/domain/traces/search/read-candidates.ts";
import type { SearchPosition } from "../../../../src/domain/traces/search/search-position.ts";
import { searchTraces } from "../../../../src/domain/traces/search/search-traces.ts";
import { parseTraceFilter } from "../../../../src/domain/traces/trace-filter.ts";
import { countBlocks, explainList } from "../../../support/explain-list.ts";
import { type QuietServices, openQuietServices } from "../../../support/quiet-services.ts";
import { vacuum } from "../../../support/vacuum.ts";

const TRACES = 30_000;

let server: QuietServices;
let ctx: Ctx;
let agentId: string;
/** Of another agent with one trace, the oldest. */
let otherId: string;
let inserted = 0;

beforeAll(async () => {
  server = await openQuietServices();
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  for (const table of TRACE_PARTITIONS)
    await createDayPartitions(server.services.database, table, new Date());
  [agentId, otherId] = [await createAgent("one"), await createAgent("other")];
  await insertTraces(TRACES);
  await server.database.query(
    `UPDATE trace SET agent_id = $2, cost_usd = 5 WHERE workspace_id = $1 AND created_at =
       (SELECT min(created_at) FROM trace WHERE workspace_id = $1)`,
    [workspaceId, otherId],
  );
  await vacuum(server.database, "trace");
});

afterAll(() => server.close());

async function createAgent(handle: string): Promise<string> {
  const { id } = await ctx.db.agent.create({
    data: { id: randomUUID(), workspaceId: ctx.workspaceId, handle, name: handle, kind: "software" },
  });
  return id;
}

async function insertTraces(count: number): Promise<void> {
  await server.database.query(
    `INSERT INTO trace (workspace_id, id, day, agent_id, status, plumbing, started_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), (now() AT TIME ZONE 'UTC')::date, $3, 'unset', n % 2 = 0, now(),
       now() - n * interval '1 second', now() FROM generate_series(1, $2::int) n`,
    [ctx.workspaceId, count, agentId],
  );
}

/** A trace that begins after all others, with spans of ids from 1 on. The last one has an attribute. */
async function insertTrace(spans: number): Promise<string> {
  inserted++;
  const [trace] = await server.database.query<{ id: string }>(
    `INSERT INTO trace (workspace_id, id, day, agent_id, plumbing, span_count, started_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), (now() AT TIME ZONE 'UTC')::date, $2, false, $3, now(), now() + $4 * interval '1 second', now() RETURNING id`,
    [ctx.workspaceId, agentId, spans, inserted],
  );
  const id = trace?.id ?? "";
  await server.database.query(
    `INSERT INTO span (workspace_id, day, trace_id, span_id, name_id, kind, op, status, started_at, agent_id,
       credential_agent_id, attributes, resource_id, dropped, redactions)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date, $3, decode(lpad(to_hex(n), 16, '0'), 'hex'), gen_random_uuid(), 1,
       'other', 'unset', now(), $2, $2, CASE n WHEN $4 THEN '{"order": 7}' ELSE '{}' END::jsonb, gen_random_uuid(), 0, 0
     FROM generate_series(1, $4::int) n`,
    [ctx.workspaceId, agentId, id, spans],
  );
  return id;
}

const ORDER = { attribute: { key: "order", value: "7" } };

describe("listTraces, searched", () => {
  it("stops after so many traces, and goes on from there until the end", async () => {
    const first = await listTraces(ctx, {}, { minCostUsd: "5", plumbing: true });
    expect(first).toMatchObject({ nodes: [], total: null, hasNextPage: true });
    expect(first.searchedUntil?.getTime()).toBeGreaterThan(Date.now() - (TRACES - 5000) * 1000);
    expect(first.searchedUntil?.getTime()).toBeLessThan(Date.now() - 15_000 * 1000);
    const second = await listTraces(ctx, { after: first.searchCursor }, { minCostUsd: "5", plumbing: true });
    expect(second).toMatchObject({ hasNextPage: false, searchedUntil: null, searchCursor: null });
    expect(second.nodes).toMatchObject([{ agentId: otherId }]);
  });

  it("counts what it reads as the caller's requests", async () => {
    const one = server.systemCtx(ctx.workspaceId);
    await listTraces(one, {}, { minCostUsd: "6" });
    expect(getReadBytes(one)).toBeGreaterThan(5_000_000);
  });

  it("reads no other traces than those that an index finds", async () => {
    const filter = { minCostUsd: "5", plumbing: true };
    const { nodes, hasNextPage } = await listTraces(ctx, {}, { ...filter, agentId: otherId });
    expect({ found: nodes.length, hasNextPage }).toEqual({ found: 1, hasNextPage: false });
    for (const narrow of [
      { agentId: otherId },
      { conversationId: "none" },
      { taskId: otherId },
      { status: "error" as const },
    ]) {
      const { search } = parseTraceFilter({ ...filter, ...narrow });
      if (search === null) throw new Error("no search");
      const plan = await explainList(server, ctx, (listening) =>
        readCandidates(listening, { ...search, after: null, limit: 20_000 }),
      );
      expect(countBlocks(plan), JSON.stringify(narrow)).toBeLessThan(20);
    }
  });

  it("looks into a trace of many spans piece by piece, and goes on within it", async () => {
    const id = await insertTrace(3500);
    const { search } = parseTraceFilter(ORDER);
    if (search === null) throw new Error("no search");
    const positions: (SearchPosition | null)[] = [null];
    for (;;) {
      const after = positions.at(-1) ?? null;
      const budget = { rows: 20_000, milliseconds: 0 };
      const found = await searchTraces(ctx, { ...search, after, limit: 1 }, budget);
      if (found.ids.length > 0) {
        expect(found.ids).toEqual([id]);
        break;
      }
      expect(found.next).toEqual({ id, createdAt: found.searchedUntil, spanId: expect.any(String) });
      positions.push(found.next);
    }
    expect(positions.length).toBe(4);
    const page = await listTraces(ctx, { first: 1 }, ORDER);
    expect(page.nodes).toMatchObject([{ id }]);
    await server.database.query("DELETE FROM trace WHERE id = $1", [id]);
  });

  it("looks into many traces of few spans at once", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) ids.unshift(await insertTrace(20));
    let reads = 0;
    const counting: Ctx = { ...ctx, read: (...asked) => (reads++, ctx.read(...asked)) };
    const { search } = parseTraceFilter({ ...ORDER, until: new Date(Date.now() + 60_000) });
    if (search === null) throw new Error("no search");
    const found = await searchTraces(counting, { ...search, after: null, limit: 29 });
    expect(found.ids).toEqual(ids.slice(0, 29));
    expect(found.next?.id).toBe(ids[28]);
    expect(reads).toBe(2);
    const rest = await searchTraces(ctx, { ...search, after: found.next, limit: 29 });
    expect(rest.ids).toEqual(ids.slice(29));
  });

  it("ends at once if no span has such a name", async () => {
    let reads = 0;
    const counting: Ctx = { ...ctx, read: (...asked) => (reads++, ctx.read(...asked)) };
    const page = await listTraces(counting, {}, { name: "no such" });
    expect(page).toMatchObject({ nodes: [], hasNextPage: false, searchedUntil: null });
    expect(reads).toBe(2);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditCursor, listAuditEvents } from "../../../src/domain/audit/list-audit-events.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { appendAuditRows } from "../../support/audit-rows.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const FIRST = 3;

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

async function seqsBy(filter: Parameters<typeof listAuditEvents>[2]): Promise<number[]> {
  const { nodes, count } = await listAuditEvents(ctx, {}, filter);
  expect(await count()).toBe(nodes.length);
  return nodes.map(({ seq }) => Number(seq));
}

describe("listAuditEvents", () => {
  it("lists every row once in order, forwards and backwards, while others append", async () => {
    await appendAuditRows(ctx, 20);
    const visited: number[] = [];
    let page = await listAuditEvents(ctx, { first: 7 });
    for (;;) {
      visited.push(...page.nodes.map(({ seq }) => Number(seq)));
      const last = page.nodes.at(-1);
      if (!page.hasNextPage || last === undefined) break;
      await appendAuditRows(ctx, 3);
      page = await listAuditEvents(ctx, { first: 7, after: auditCursor(last) });
      expect(page.hasPreviousPage).toBe(true);
    }
    const all = Array.from({ length: 20 + FIRST }, (_, index) => 20 + FIRST - index);
    expect(visited).toEqual(all);
    const back = await listAuditEvents(ctx, { last: 2, before: auditCursor({ seq: 3n }) });
    expect(back.nodes.map(({ seq }) => Number(seq))).toEqual([5, 4]);
    expect(back).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const end = await listAuditEvents(ctx, { last: 2 });
    expect(end.nodes.map(({ seq }) => Number(seq))).toEqual([2, 1]);
    expect(end).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it("counts up to 10,000 matches of a filter", async () => {
    const insert = `INSERT INTO audit_event (workspace_id, seq, id, actor, action, target_type, target_id, prev_hash, hash, created_at)
      SELECT $1, 1000 + n, gen_random_uuid(), '{}', 'test.many', 'test', 'x', sha256(''), sha256(''), now()
      FROM generate_series($2::int, $3::int) n`;
    await server.database.query(insert, [ctx.workspaceId, 1, 10_000]);
    const count = async () => (await listAuditEvents(ctx, {}, { action: "test.many" })).count();
    expect(await count()).toBe(10_000);
    await server.database.query(insert, [ctx.workspaceId, 10_001, 10_001]);
    expect(await count()).toBeNull();
  });

  it("counts all rows, and changes its version with every row", async () => {
    const before = await listAuditEvents(ctx);
    expect(await before.count()).toBe(FIRST);
    await appendAuditRows(ctx, 1);
    const after = await listAuditEvents(ctx, { first: 0 });
    expect(after.version).not.toBe(before.version);
    expect(after).toMatchObject({ nodes: [], hasNextPage: false });
    expect(await after.count()).toBe(FIRST + 1);
  });

  it("filters by action, or its prefix", async () => {
    await appendAuditRows(ctx, 1, "api_key.used");
    await appendAuditRows(ctx, 1, "apixkey.used");
    expect(await seqsBy({ action: "api_key.used" })).toEqual([4]);
    expect(await seqsBy({ action: "api_key.*" })).toEqual([4, 2]);
    expect(await seqsBy({ action: "api_key" })).toEqual([]);
    expect(await seqsBy({ action: "*" })).toEqual([5, 4, 3, 2, 1]);
  });

  it("filters by actor, target and time", async () => {
    const user = userCtx(server, ctx.workspaceId, "admin");
    const at = new Date("2031-02-03T04:05:06.789Z");
    await appendAuditRows(openCtx(server.services, user, at), 2);
    const by = user.actor.type === "user" ? user.actor.id : "";
    const [row] = (await listAuditEvents(ctx, { first: 1 })).nodes;
    expect(row).toMatchObject({ actor: { type: "user", id: by }, createdAt: at });
    expect(await seqsBy({ actorId: by.toUpperCase() })).toEqual([5, 4]);
    expect(await seqsBy({ targetId: row?.targetId ?? "" })).toEqual([5, 4]);
    expect(await seqsBy({ since: at })).toEqual([5, 4]);
    expect(await seqsBy({ until: at })).toEqual([3, 2, 1]);
    expect(await seqsBy({ since: at, until: at })).toEqual([]);
    expect(await seqsBy({ actorId: by, action: "user.*" })).toEqual([]);
  });

  it("shows nothing of another workspace", async () => {
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    await appendAuditRows(other, 5);
    const [row] = (await listAuditEvents(other, { first: 1 })).nodes;
    expect(await seqsBy({ targetId: row?.targetId ?? "" })).toEqual([]);
    expect(await seqsBy({})).toHaveLength(FIRST);
  });

  it.each([
    ["a size of 101", { first: 101 }, {}],
    ["a size below 0", { first: -1 }, {}],
    ["a fractional size", { first: 1.5 }, {}],
    ["two directions", { first: 1, last: 1 }, {}],
    ["before without last", { before: "x" }, {}],
    ["after with last", { last: 1, after: auditCursor({ seq: 1n }) }, {}],
    ["an invalid cursor", { after: "x" }, {}],
    ["an asterisk within", {}, { action: "a*b" }],
    ["an invalid action", {}, { action: "User.Suspended; DROP" }],
    ["an invalid actor id", {}, { actorId: "x" }],
    ["a target with NUL", {}, { targetId: "\0" }],
  ])("rejects %s", async (_what, page, filter) => {
    expect(await getErrorCode(listAuditEvents(ctx, page, filter))).toBe("validation_failed");
  });

  it("allows only admins and owners", async () => {
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const code = await getErrorCode(listAuditEvents(userCtx(server, ctx.workspaceId, role)));
      expect(code).toBe(role === "owner" || role === "admin" ? "" : "forbidden");
    }
  });
});

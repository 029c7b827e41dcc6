import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_KEY_VIEWS } from "../../../src/auth/api-keys/api-key-view.ts";
import { TABLES } from "../../../src/db/columns.ts";
import type { Task } from "../../../src/db/generated/client.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { positionCursor } from "../../../src/domain/kernel/cursors.ts";
import { type ListPage, type PageArgs, readPage } from "../../../src/domain/kernel/page.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { USER_VIEWS } from "../../../src/domain/users/user-view.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { insertTaskRows } from "../../support/task-rows.ts";
import { runs } from "../../support/property-runs.ts";

// Results of evaluations have a list of their own.
const { evalResult: _evalResult, ...LISTED } = TABLES;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function createFilledWorkspace(count: number): Promise<{ ctx: Ctx; ids: string[] }> {
  const { workspaceId } = await server.createWorkspace();
  await insertTaskRows(server.database, workspaceId, { count });
  const rows = await server.database.query<{ id: string }>(
    "SELECT id FROM task WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC",
    [workspaceId],
  );
  return { ctx: server.systemCtx(workspaceId), ids: rows.map(({ id }) => id) };
}

function tasks(ctx: Ctx, page: PageArgs, status?: Task["status"]): Promise<ListPage<Task>> {
  return readPage<Task>(ctx, { table: TABLES.task, collection: "tasks", status, page });
}

const getIds = ({ nodes }: ListPage<Task>) => nodes.map(({ id }) => id);

/** The cursor of a page's node. Negative indexes count from the end. */
function cursorAt({ nodes }: ListPage<Task>, index: number): string {
  const node = nodes.at(index);
  if (node === undefined) throw new Error("the page is empty");
  return positionCursor(node);
}

describe("readPage", () => {
  it("lists every row once in order forwards, while others insert", async () => {
    const { ctx, ids } = await createFilledWorkspace(100);
    const visited: string[] = [];
    let page = await tasks(ctx, { first: 7 });
    visited.push(...getIds(page));
    while (page.hasNextPage) {
      await createTask(ctx, { title: "Meanwhile" });
      page = await tasks(ctx, { first: 7, after: cursorAt(page, -1) });
      expect(page.hasPreviousPage).toBe(true);
      visited.push(...getIds(page));
    }
    expect(visited).toEqual(ids);
  });

  it("lists every row once in order backwards, and then newly inserted ones", async () => {
    const { ctx, ids } = await createFilledWorkspace(100);
    const visited: string[] = [];
    let page = await tasks(ctx, { last: 7 });
    visited.unshift(...getIds(page));
    for (let turn = 0; page.hasPreviousPage; turn++) {
      if (turn < 5) await createTask(ctx, { title: "Meanwhile" });
      page = await tasks(ctx, { last: 7, before: cursorAt(page, 0) });
      expect(page.hasNextPage).toBe(true);
      visited.unshift(...getIds(page));
    }
    expect(visited.slice(-ids.length)).toEqual(ids);
    expect(new Set(visited).size).toBe(ids.length + 5);
    expect(visited).toHaveLength(ids.length + 5);
  });

  it("pages by offset like by cursor, and is empty past the end", async () => {
    const { ctx, ids } = await createFilledWorkspace(23);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 30 }), fc.nat({ max: 30 }), async (offset, first) => {
        const page = await tasks(ctx, { offset, first });
        expect(getIds(page)).toEqual(ids.slice(offset, offset + first));
        expect(page.total).toBe(23);
        expect(page.hasNextPage).toBe(first > 0 && offset + first < 23);
        expect(page.hasPreviousPage).toBe(offset > 0);
      }),
      { numRuns: runs(40) },
    );
  });

  it("pages by a large offset like by a small one", async () => {
    const { ctx, ids } = await createFilledWorkspace(2600);
    const failed = new Set(getIds(await tasks(ctx, { all: true }, "failed")));
    expect(failed.size).toBe(26);
    for (const offset of [1990, 1999, 2000, 2001, 2590, 2600, 3000]) {
      const page = await tasks(ctx, { offset, first: 25 });
      expect(getIds(page)).toEqual(ids.slice(offset, offset + 25));
      expect(page).toMatchObject({ total: 2600, hasNextPage: offset + 25 < 2600, hasPreviousPage: true });
      const completed = await tasks(ctx, { offset, first: 25 }, "completed");
      const others = ids.filter((id) => !failed.has(id));
      expect(getIds(completed)).toEqual(others.slice(offset, offset + 25));
      expect(completed).toMatchObject({ total: 2574, hasNextPage: offset + 25 < 2574 });
    }
  });

  it.each(Object.entries({ ...LISTED, user: USER_VIEWS, apiKey: API_KEY_VIEWS }))(
    "accepts a large offset in the list of %s",
    async (_name, table) => {
      const { workspaceId } = await server.createWorkspace();
      const list = { table, collection: null, page: { offset: 2000 } };
      const page = await readPage(server.systemCtx(workspaceId), list);
      expect(page).toMatchObject({ nodes: [], hasNextPage: false, hasPreviousPage: true });
    },
  );

  it.each([0, 100_000])("accepts an offset of %d", async (offset) => {
    const { ctx, ids } = await createFilledWorkspace(3);
    const page = await tasks(ctx, { offset });
    expect(getIds(page)).toEqual(offset === 0 ? ids : []);
    expect(page).toMatchObject({ total: 3, hasNextPage: false, hasPreviousPage: offset > 0 });
  });

  it.each([
    ["offset", (_page: ListPage<Task>, seen: number) => ({ first: 40, offset: seen })],
    ["cursor", (page: ListPage<Task>) => ({ first: 40, after: cursorAt(page, -1) })],
  ])("cuts a page of large rows, and continues after them by %s", async (_how, next) => {
    const { ctx } = await createFilledWorkspace(0);
    const input = [{ text: "a".repeat(250_000) }];
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) ids.unshift((await createTask(ctx, { title: "x", input })).id);
    let page = await tasks(ctx, { first: 40 });
    const seen = getIds(page);
    while (page.hasNextPage) {
      expect(JSON.stringify(page.nodes).length).toBeLessThan(5_000_000);
      page = await tasks(ctx, next(page, seen.length));
      expect(page).toMatchObject({ total: 40, hasPreviousPage: true });
      seen.push(...getIds(page));
    }
    expect(seen).toEqual(ids);
    expect(page.nodes.length).toBeLessThan(40);
  });

  it("lists one status with its own total", async () => {
    const { ctx } = await createFilledWorkspace(250);
    const { nodes, total, hasNextPage } = await tasks(ctx, { first: 100 }, "failed");
    expect(nodes.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect({ total, hasNextPage }).toEqual({ total: 2, hasNextPage: false });
  });

  it("returns an empty list", async () => {
    const { ctx } = await createFilledWorkspace(0);
    const page = await tasks(ctx, {});
    expect(page).toMatchObject({
      nodes: [],
      total: 0,
      version: 0n,
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });

  it("rejects cursors of other lists", async () => {
    const { ctx } = await createFilledWorkspace(0);
    const own = positionCursor({ createdAt: new Date(), id: crypto.randomUUID() });
    const refused = async (cursor: string) => {
      expect(await getErrorCode(tasks(ctx, { after: cursor }))).toBe("validation_failed");
      expect(await getErrorCode(tasks(ctx, { last: 5, before: cursor }))).toBe("validation_failed");
    };
    for (const cursor of ["", own.slice(0, -2), own.slice(2), `${own}${own}`, "v1.x.1", "💥"])
      await refused(cursor);
    await fc.assert(fc.asyncProperty(fc.string(), refused), { numRuns: runs(50) });
  });

  it("accepts a cursor of any time", async () => {
    const { ctx, ids } = await createFilledWorkspace(3);
    const at = (milliseconds: number) =>
      positionCursor({ createdAt: new Date(milliseconds), id: crypto.randomUUID() });
    expect(getIds(await tasks(ctx, { after: at(999_999_999_999_999) }))).toEqual(ids);
    expect(getIds(await tasks(ctx, { after: at(0) }))).toEqual([]);
  });

  it.each<[string, PageArgs]>([
    ["last: can't be combined with first", { first: 1, last: 1 }],
    ["first: must be a whole number from 0 to 100", { first: 101 }],
    ["first: must be a whole number from 0 to 100", { first: -1 }],
    ["last: must be a whole number from 0 to 100", { last: 1.5 }],
    ["offset: must be a whole number from 0 to 100000", { offset: -1 }],
    ["offset: must be a whole number from 0 to 100000", { offset: 100_001 }],
    ["offset: can't be combined with a cursor or with last", { offset: 1, last: 1 }],
    ["offset: can't be combined with a cursor or with last", { offset: 1, after: "x" }],
    ["before: needs last", { before: "x" }],
    ["after: can't be combined with last", { after: "x", last: 1 }],
    ["after: is not a cursor of this list", { after: "x" }],
    ["before: is not a cursor of this list", { before: "x", last: 1 }],
  ])("explains: %s", async (message, page) => {
    const { ctx } = await createFilledWorkspace(0);
    const field = message.split(":")[0];
    const expected = { code: "validation_failed", message, details: { field } };
    await expect(tasks(ctx, page)).rejects.toMatchObject(expected);
  });

  it("accepts the largest page, the smallest, and a cursor without an offset", async () => {
    const { ctx, ids } = await createFilledWorkspace(3);
    expect(getIds(await tasks(ctx, { first: 100 }))).toEqual(ids);
    const page = await tasks(ctx, { first: 1, offset: 0 });
    expect(getIds(await tasks(ctx, { first: 1, offset: 0, after: cursorAt(page, 0) }))).toEqual([ids[1]]);
    expect(await tasks(ctx, { first: 0 })).toMatchObject({
      ...{ nodes: [], total: 3, hasNextPage: false, hasPreviousPage: false },
    });
  });

  it("reads rows, total, version and cursor of one snapshot while others write", async () => {
    const { workspaceId } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    const writers = { running: true };
    const pages: ListPage<Task>[] = [];
    const reader = (async () => {
      while (writers.running) pages.push(await tasks(ctx, { first: 100 }));
    })();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let turn = 0; turn < 20; turn++) await createTask(ctx, { title: "A task" });
      }),
    );
    writers.running = false;
    await reader;
    const events = await server.database.query<{ seq: string; subject_id: string }>(
      "SELECT seq, subject_id FROM event WHERE workspace_id = $1 AND type = 'task.created'",
      [workspaceId],
    );
    expect(new Set(pages.map(({ version }) => version)).size).toBeGreaterThan(5);
    for (const page of pages) {
      const upTo = events.filter(({ seq }) => BigInt(seq) <= page.version);
      expect(new Set(getIds(page))).toEqual(new Set(upTo.map((event) => event.subject_id)));
      expect(page.total).toBe(upTo.length);
      // Only tasks were written after the first of them.
      const seq = Buffer.from(page.cursor, "base64url").toString().split(".").at(-1);
      if (page.total !== 0) expect(BigInt(seq ?? 0)).toBe(page.version);
    }
  });

  it("distinguishes an unknown workspace from an empty one", async () => {
    expect(await getErrorCode(tasks(server.systemCtx(crypto.randomUUID()), {}))).toBe("not_found");
  });
});

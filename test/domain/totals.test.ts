import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "../../src/db/columns.ts";
import { TaskStatus } from "../../src/db/generated/enums.ts";
import type { Ctx, Transaction } from "../../src/domain/kernel/context.ts";
import { type EventInput, append } from "../../src/domain/kernel/events.ts";
import { readPage } from "../../src/domain/kernel/page.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { insertTestAgent } from "../support/factories.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { runs } from "../support/property-runs.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** One action of a writer. `rollback` undoes it after append has run. */
type Step = { act: "create" | "move" | "delete"; status: TaskStatus; rollback: boolean };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom("create", "create", "move", "move", "delete"),
  status: fc.constantFrom(...Object.values(TaskStatus)),
  rollback: fc.boolean(),
});

function createChange(id: string): EventInput {
  return { type: "task.updated", subjectType: "task", subjectId: id };
}

/** Applies an action to the writer's own tasks, like a use case. Without tasks it creates one. */
async function perform(ctx: Ctx, own: string[], { act, status, rollback }: Step): Promise<void> {
  const known = act === "create" ? undefined : own.at(-1);
  const id = known ?? crypto.randomUUID();
  const work = ctx.transaction(async (tx) => {
    const total = known === undefined ? await insert(tx, id, status) : await change(tx, id, { act, status });
    append(tx, { events: [createChange(id)], totals: [{ collection: "tasks", ...total }] });
    if (rollback) throw new Error("taken back");
  });
  if (rollback) return expect(work).rejects.toThrow();
  await work;
  if (known === undefined) own.push(id);
  else if (act === "delete") own.pop();
}

async function insert({ db, ctx }: Transaction, id: string, to: TaskStatus): Promise<{ to: TaskStatus }> {
  const { workspaceId } = ctx;
  await db.task.create({
    data: { workspaceId, id, contextId: id, title: "A task", status: to, createdBy: {} },
  });
  return { to };
}

async function change(
  { db, ctx }: Transaction,
  id: string,
  { act, status }: Pick<Step, "act" | "status">,
): Promise<{ from: TaskStatus; to?: TaskStatus }> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const { status: from } = await db.task.findUniqueOrThrow({ where });
  if (act === "delete") {
    await db.task.delete({ where });
    return { from };
  }
  await db.task.update({ where, data: { status } });
  return { from, to: status };
}

type Totals = Record<string, number>;

async function keptTotals({ workspaceId }: Ctx): Promise<Totals> {
  const rows = await server.database.query<{ facet: string; total: number }>(
    "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'tasks' AND total <> 0",
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ facet, total }) => [facet, total]));
}

async function countedTotals({ workspaceId }: Ctx): Promise<Totals> {
  const rows = await server.database.query<{ facet: string; total: number }>(
    `SELECT COALESCE(status::text, 'all') AS facet, count(*)::int AS total FROM task WHERE workspace_id = $1
     GROUP BY GROUPING SETS ((), (status)) HAVING count(*) > 0`,
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ facet, total }) => [facet, total]));
}

async function readVersion(ctx: Ctx, status?: TaskStatus): Promise<bigint> {
  return (await readPage(ctx, { table: TABLES.task, collection: "tasks", status, page: {} })).version;
}

describe("collection totals", () => {
  it("equal count(*) in total and by status, after any concurrent changes and rollbacks", async () => {
    const { workspaceId } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    const writers = Array.from({ length: 6 }, (): string[] => []);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 6 }), { minLength: 6, maxLength: 6 }),
        async (plans) => {
          await Promise.all(
            writers.map(async (own, writer) => {
              for (const planned of plans[writer] ?? []) await perform(ctx, own, planned);
            }),
          );
          expect(await keptTotals(ctx)).toEqual(await countedTotals(ctx));
        },
      ),
      { numRuns: runs(25) },
    );
    expect((await countedTotals(ctx))["all"]).toBe(writers.flat().length);
    const { total } = await readPage(ctx, { table: TABLES.task, collection: "tasks", page: {} });
    expect(total).toBe(writers.flat().length);
  });

  it("are separate for each workspace", async () => {
    const [one, other] = [await server.createWorkspace(), await server.createWorkspace()];
    await createTask(server.systemCtx(one.workspaceId), { title: "A task" });
    expect(await keptTotals(server.systemCtx(one.workspaceId))).toEqual({ all: 1, submitted: 1 });
    expect(await keptTotals(server.systemCtx(other.workspaceId))).toEqual({});
  });
});

describe("a collection's version", () => {
  async function workspaceWithTask(): Promise<{ ctx: Ctx; id: string }> {
    const { workspaceId } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    return { ctx, id: (await createTask(ctx, { title: "A task" })).id };
  }

  async function move(ctx: Ctx, id: string, [from, to]: [TaskStatus, TaskStatus]): Promise<void> {
    await ctx.transaction(async (tx) => {
      await tx.db.task.updateMany({ where: { id }, data: { status: to } });
      append(tx, { events: [createChange(id)], totals: [{ collection: "tasks", from, to }] });
    });
  }

  it("is the number of the last event that changed it", async () => {
    const { ctx } = await workspaceWithTask();
    const [event] = await server.database.query<{ seq: string }>(
      "SELECT max(seq) AS seq FROM event WHERE workspace_id = $1 AND type = 'task.created'",
      [ctx.workspaceId],
    );
    expect(await readVersion(ctx)).toBe(BigInt(event?.seq ?? 0));
  });

  it("changes when a row is created, changed or deleted", async () => {
    const { ctx, id } = await workspaceWithTask();
    const versions = [await readVersion(ctx)];
    await createTask(ctx, { title: "Another" });
    versions.push(await readVersion(ctx));
    await move(ctx, id, ["submitted", "submitted"]);
    versions.push(await readVersion(ctx));
    await move(ctx, id, ["submitted", "working"]);
    versions.push(await readVersion(ctx));
    await ctx.transaction(async (tx) => {
      await tx.db.task.deleteMany({ where: { id } });
      append(tx, { events: [createChange(id)], totals: [{ collection: "tasks", from: "working" }] });
    });
    versions.push(await readVersion(ctx));
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it("doesn't change for other collections", async () => {
    const { ctx } = await workspaceWithTask();
    const before = await readVersion(ctx);
    await insertTestAgent(ctx);
    await ctx.transaction(async (tx) => append(tx, { events: [createChange(crypto.randomUUID())] }));
    const { workspaceId } = await server.createWorkspace();
    await createTask(server.systemCtx(workspaceId), { title: "Elsewhere" });
    expect(await readVersion(ctx)).toBe(before);
  });

  it("changes for a row's old and new status, and for no other", async () => {
    const { ctx, id } = await workspaceWithTask();
    const statuses = Object.values(TaskStatus);
    const versions = () => Promise.all(statuses.map((status) => readVersion(ctx, status)));
    const before = await versions();
    await move(ctx, id, ["submitted", "working"]);
    const after = await versions();
    const moved = statuses.filter((_, index) => after[index] !== before[index]);
    expect(moved).toEqual(["submitted", "working"]);
  });
});

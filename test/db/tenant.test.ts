import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/client.ts";
import { Prisma } from "../../src/db/generated/client.ts";
import { type TenantDb, bindToWorkspace, createLazyClient } from "../../src/db/tenant.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

/** The operations of a bound client's delegate, for any model. */
type Delegate = Record<string, (args?: object) => Promise<unknown>>;

let test: TestDatabase;
let database: Database;
let own: string;
let other: string;
let db: TenantDb;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.url, pino({ level: "silent" }));
});

afterAll(async () => {
  await database.close();
  await test.drop();
});

beforeEach(async () => {
  [own, other] = [await createWorkspace(), await createWorkspace()];
  db = bindToWorkspace(database.prisma, own);
});

/** A workspace with two agents, `a` and `b`, and a task assigned to `a`. */
async function createWorkspace(): Promise<string> {
  const id = crypto.randomUUID();
  const { prisma } = database;
  await prisma.workspace.create({ data: { id, slug: id, name: "A workspace" } });
  for (const handle of ["a", "b"]) await prisma.agent.create({ data: createRow(id, handle) });
  const agent = await prisma.agent.findFirstOrThrow({ where: { workspaceId: id, handle: "a" } });
  const task = { workspaceId: id, id: crypto.randomUUID(), contextId: id, title: "A task", createdBy: {} };
  await prisma.task.create({ data: { ...task, assigneeAgentId: agent.id } });
  return id;
}

function createRow(workspaceId: string, handle: string) {
  return { workspaceId, id: crypto.randomUUID(), handle, name: handle };
}

async function readAgent(workspaceId: string, handle = "a"): Promise<{ workspaceId: string; id: string }> {
  const where = { workspaceId_handle: { workspaceId, handle } };
  return database.prisma.agent.findUniqueOrThrow({ where, select: { workspaceId: true, id: true } });
}

async function readHandles(workspaceId: string): Promise<string[]> {
  const agents = await database.prisma.agent.findMany({ where: { workspaceId }, orderBy: { handle: "asc" } });
  return agents.map(({ handle }) => handle);
}

describe("a client bound to a workspace", () => {
  it("reads only its rows with every reading operation", async () => {
    const foreign = await readAgent(other);
    const { id } = foreign;
    const where = { id };
    expect(await db.agent.findMany()).toHaveLength(2);
    expect(await db.agent.findMany({ where: { OR: [where, { workspaceId: other }] } })).toEqual([]);
    expect(await db.agent.findMany({ where: { NOT: { workspaceId: own } } })).toEqual([]);
    expect(await db.agent.findMany({ where: { AND: [{ NOT: { workspaceId: own } }] } })).toEqual([]);
    expect(await db.agent.findFirst({ where })).toBeNull();
    await expect(db.agent.findFirstOrThrow({ where })).rejects.toMatchObject({ code: "P2025" });
    expect(await db.agent.count()).toBe(2);
    expect(await db.agent.count({ where: { NOT: { workspaceId: own } } })).toBe(0);
    expect(await db.agent.aggregate({ _count: true })).toEqual({ _count: 2 });
    expect(await db.agent.groupBy({ by: ["workspaceId"] })).toEqual([{ workspaceId: own }]);
    expect(await db.workspace.findMany({ select: { id: true } })).toEqual([{ id: own }]);
    expect(await db.task.findMany({ where: { assigneeAgent: { id } } })).toEqual([]);
    expect(await db.task.findMany({ where: { workspace: { id: other } } })).toEqual([]);
  });

  it("finds only its own rows by unique keys without a workspace", async () => {
    const digest = new Uint8Array(32);
    const { id: agentId } = await readAgent(other);
    const key = {
      id: crypto.randomUUID(),
      agentId,
      lineageId: agentId,
      name: "k",
      createdBy: {},
      last4: "0000",
    };
    const data = { ...key, workspaceId: other, publicId: other, digest, scopes: [] };
    await database.prisma.apiKey.create({ data });
    expect(await db.apiKey.findUnique({ where: { digest } })).toBeNull();
    await expect(db.apiKey.update({ where: { digest }, data: { name: "taken" } })).rejects.toMatchObject({
      code: "P2025",
    });
    await database.prisma.apiKey.delete({ where: { digest } });
  });

  it("changes and deletes only its rows with every operation on many", async () => {
    const before = await database.prisma.agent.findMany({ where: { workspaceId: other } });
    expect(await db.agent.updateMany({ data: { name: "renamed" } })).toEqual({ count: 2 });
    expect(await db.agent.updateManyAndReturn({ data: { name: "renamed" } })).toHaveLength(2);
    const { id } = await readAgent(other);
    expect(await db.agent.updateMany({ where: { id }, data: { name: "renamed" } })).toEqual({ count: 0 });
    expect(await db.agent.deleteMany({ where: { NOT: { workspaceId: own } } })).toEqual({ count: 0 });
    await db.task.deleteMany();
    expect(await db.agent.deleteMany()).toEqual({ count: 2 });
    expect(await database.prisma.agent.findMany({ where: { workspaceId: other } })).toEqual(before);
    expect(await database.prisma.task.count({ where: { workspaceId: other } })).toBe(1);
  });

  it("writes its own workspace into every row", async () => {
    const { workspaceId: _none, ...row } = createRow(own, "c");
    // The bound client adds what the type requires.
    await db.agent.create({ data: row as ReturnType<typeof createRow> });
    await db.agent.createMany({ data: [createRow(own, "d"), createRow(own, "e")] });
    await db.agent.createManyAndReturn({ data: createRow(own, "f") });
    await db.agent.upsert({
      where: { workspaceId_handle: { workspaceId: own, handle: "g" } },
      create: createRow(own, "g"),
      update: {},
    });
    expect(await readHandles(own)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(await readHandles(other)).toEqual(["a", "b"]);
  });

  it("throws if a row, key or filter names another workspace", async () => {
    const foreign = await readAgent(other);
    const mine = await readAgent(own);
    const where = { workspaceId_id: foreign };
    const data = createRow(other, "x");
    const calls: (() => Promise<unknown>)[] = [
      () => db.agent.findUnique({ where }),
      () => db.agent.findUniqueOrThrow({ where }),
      () => db.agent.findMany({ where: { workspaceId: other } }),
      () => db.agent.findMany({ where: { workspaceId: { not: own } } }),
      () => db.agent.findFirst({ where: { workspaceId: { in: [own, other] } } }),
      () => db.agent.count({ where: { workspaceId: other } }),
      () => db.agent.create({ data }),
      () => db.agent.createMany({ data: [createRow(own, "y"), data] }),
      () => db.agent.createManyAndReturn({ data: [data] }),
      () => db.agent.update({ where, data: { name: "x" } }),
      () => db.agent.update({ where: { workspaceId_id: mine }, data: { workspaceId: other } }),
      () => db.agent.update({ where: { workspaceId_id: mine }, data: { workspaceId: { set: other } } }),
      () => db.agent.updateMany({ data: { workspaceId: other } }),
      () => db.agent.upsert({ where, create: createRow(own, "x"), update: {} }),
      () => db.agent.upsert({ where: { workspaceId_id: mine }, create: data, update: {} }),
      () =>
        db.agent.upsert({
          where: { workspaceId_id: mine },
          create: createRow(own, "x"),
          update: { workspaceId: other },
        }),
      () => db.agent.delete({ where }),
      () => db.agent.deleteMany({ where: { workspaceId: other } }),
      () => db.workspace.findUnique({ where: { id: other } }),
      () => db.workspace.update({ where: { id: other }, data: { name: "x" } }),
      () => db.workspace.create({ data: { id: other, slug: "x", name: "x" } }),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/workspace/);
    expect([await readHandles(own), await readHandles(other)]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("throws for a write through a relation, which could reach any row", async () => {
    const [mine, foreign] = [await readAgent(own), await readAgent(other)];
    const task = await database.prisma.task.findFirstOrThrow({ where: { workspaceId: own } });
    const where = { workspaceId_id: { workspaceId: own, id: task.id } };
    const calls: (() => Promise<unknown>)[] = [
      () => db.task.update({ where, data: { workspace: { connect: { id: other } } } }),
      () => db.task.update({ where, data: { assigneeAgent: { connect: { workspaceId_id: foreign } } } }),
      () =>
        db.workspace.update({
          where: { id: own },
          data: { agents: { connect: { workspaceId_id: foreign } } },
        }),
      () => db.workspace.update({ where: { id: own }, data: { agents: { deleteMany: {} } } }),
      () =>
        db.agent.update({ where: { workspaceId_id: mine }, data: { workspace: { update: { name: "x" } } } }),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/workspace/);
    expect([await readHandles(own), await readHandles(other)]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("is bound inside a transaction too", async () => {
    await database.transaction(async ({ lend }) => {
      const tx = createLazyClient(() => lend((prisma) => bindToWorkspace(prisma, own)));
      expect(await tx.agent.count()).toBe(2);
      await expect(tx.agent.findMany({ where: { workspaceId: other } })).rejects.toThrow(/workspace/);
      return { result: null, last: [] };
    });
  });
});

/** Every operation of a model in Prisma's own list, with minimal arguments. */
const OPERATIONS: Record<string, (key: object, foreign: object) => object> = {
  findUnique: (key) => ({ where: key }),
  findUniqueOrThrow: (key) => ({ where: key }),
  findFirst: (_key, where) => ({ where }),
  findFirstOrThrow: (_key, where) => ({ where }),
  findMany: (_key, where) => ({ where }),
  count: (_key, where) => ({ where }),
  aggregate: (_key, where) => ({ where }),
  groupBy: (_key, where) => ({ where, by: Object.keys(where) }),
  create: (_key, data) => ({ data }),
  createMany: (_key, data) => ({ data: [data] }),
  createManyAndReturn: (_key, data) => ({ data: [data] }),
  update: (key) => ({ where: key, data: {} }),
  updateMany: (_key, where) => ({ where, data: {} }),
  updateManyAndReturn: (_key, where) => ({ where, data: {} }),
  upsert: (key, create) => ({ where: key, create, update: {} }),
  delete: (key) => ({ where: key }),
  deleteMany: (_key, where) => ({ where }),
};

describe("every operation of every model", () => {
  const models = Object.values(Prisma.ModelName).filter((model) => model !== "RevocationHead");

  function getDelegate(model: string): Delegate {
    const name = model.slice(0, 1).toLowerCase() + model.slice(1);
    // All delegates have the same methods.
    return (db as unknown as Record<string, Delegate>)[name] ?? {};
  }

  it("is covered by this test", () => {
    const names = Object.keys(getDelegate("Task")).filter(
      (name) => !name.startsWith("$") && name !== "fields",
    );
    // The two raw ones are MongoDB's.
    const known = new Set([...Object.keys(OPERATIONS), "name", "findRaw", "aggregateRaw"]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(OPERATIONS)));
  });

  it.each(models)("throws for a %s of another workspace", async (model) => {
    const field = model === "Workspace" ? "id" : "workspaceId";
    const foreign = { [field]: other };
    const key = model === "Workspace" ? foreign : { workspaceId_id: { ...foreign, id: other } };
    for (const [operation, args] of Object.entries(OPERATIONS)) {
      const call = getDelegate(model)[operation]?.(args(key, foreign));
      await expect(call, operation).rejects.toThrow("names another workspace");
    }
  });

  it("throws for a table without a workspace", async () => {
    await expect(db.revocationHead.findMany()).rejects.toThrow(/workspaceId/);
  });
});

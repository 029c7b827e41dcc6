import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { type TestDatabase, createTestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { watchReads } from "../../support/failing-reads.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { createWorker } from "../../support/workers.ts";

const WAITING = 200;
/** The check for a ready task of one queue, with which a turn begins. */
const CHECK = "ready_1\0";

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
  server = await startOn(database, { DATABASE_URL: proxy.url });
});

afterAll(async () => {
  await server.stop();
  await proxy.close();
  await database.drop();
});

/** Lets many agents wait for a task. Resolves when each has found none. */
async function openClaims(count: number, by: Parameters<typeof createWorker>[0] = server) {
  const { workspaceId } = await server.createWorkspace();
  const ctx = server.systemCtx(workspaceId);
  const workers = await Promise.all(Array.from({ length: count }, () => createWorker(by, workspaceId)));
  const [ended, checks] = [new AbortController(), proxy.countSent(CHECK)];
  const claims = workers.map((worker) =>
    claimTask(Object.assign(worker, { signal: ended.signal }), { waitSeconds: 25 }),
  );
  await expect.poll(checks, PATIENCE).toBeGreaterThanOrEqual(count);
  return { ctx, workspaceId, workers, claims, checks, end: () => ended.abort() };
}

describe("a new task", { timeout: 60_000 }, () => {
  it("wakes one of many waiting claims", async () => {
    const { ctx, workspaceId, claims, checks, end } = await openClaims(WAITING);
    const before = checks();
    const { id } = await createTask(ctx, { title: "For one" });
    expect((await Promise.race(claims))?.task.id).toBe(id);
    // Waits behind the checks of other agents.
    const other = await createWorker(server, workspaceId);
    await createTask(ctx, { title: "For another", queue: "other" });
    expect(await claimTask(other, { queues: ["other"], waitSeconds: 25 })).not.toBeNull();
    expect(checks() - before).toBeLessThan(20);
    end();
    expect((await Promise.all(claims)).filter((claim) => claim !== null)).toHaveLength(1);
  });

  it("wakes as many as there are new tasks", async () => {
    const { ctx, claims } = await openClaims(WAITING);
    const made = await Promise.all(claims.map(() => createTask(ctx, { title: "For one of them" })));
    const claimed = await Promise.all(claims);
    expect(new Set(claimed.map((claim) => claim?.task.id))).toEqual(new Set(made.map(({ id }) => id)));
  });

  it("is passed on by agents that can't claim it", async () => {
    const { ctx, workers, claims } = await openClaims(20);
    const last = workers.at(-1)?.agentId ?? "";
    await ctx.db.agent.updateMany({ where: { id: { not: last } }, data: { controlState: "paused" } });
    await createTask(ctx, { title: "For the active one" });
    expect((await Promise.race(claims))?.task.claimedByAgentId).toBe(last);
  });

  it("is found when it becomes ready without an event", async () => {
    const { ctx, claims, workers, end } = await openClaims(2);
    const runAfter = new Date(Date.now() + 2000);
    const assigned = await createTask(ctx, { title: "A", runAfter, assigneeAgentId: workers[1]?.agentId });
    const open = await createTask(ctx, { title: "B", runAfter, queue: "default" });
    const claimed = await Promise.all(claims);
    expect(new Set(claimed.map((claim) => claim?.task.id))).toEqual(new Set([assigned.id, open.id]));
    end();
  });

  it("reaches its assignee", async () => {
    const { ctx, workers, claims, end } = await openClaims(20);
    const last = workers.at(-1)?.agentId ?? "";
    await createTask(ctx, { title: "For the last", assigneeAgentId: last });
    expect((await Promise.race(claims))?.task.claimedByAgentId).toBe(last);
    end();
  });

  it("costs no search for what is ready: there is one about every second", async () => {
    const looks = watchReads(server, ({ name }) => name === "ready_tasks");
    const begunMs = performance.now();
    const { ctx, claims, end } = await openClaims(2, looks);
    for (let made = 0; made < 40; made++) await createTask(ctx, { title: "For others", queue: "other" });
    await createTask(ctx, { title: "For one" });
    await Promise.race(claims);
    end();
    expect(looks.count()).toBeLessThanOrEqual(3 + (performance.now() - begunMs) / 1000);
  });

  it("costs one search a second while the database can't be asked what is ready", async () => {
    const looks = watchReads(server, ({ name }) => name === "ready_tasks");
    looks.fail();
    const begunMs = performance.now();
    const { claims, end } = await openClaims(2, looks);
    await expect.poll(looks.count, PATIENCE).toBeGreaterThan(2);
    end();
    expect(await Promise.all(claims)).toEqual([null, null]);
    expect(looks.count()).toBeLessThanOrEqual(3 + (performance.now() - begunMs) / 1000);
  });

  it("reaches its assignee by its event, while the database can't be asked what is ready", async () => {
    const looks = watchReads(server, ({ name }) => name === "ready_tasks");
    const { ctx, workers, claims, end } = await openClaims(20, looks);
    await expect.poll(looks.count, PATIENCE).toBeGreaterThan(0);
    looks.fail();
    const failed = () => server.logged.filter((line) => line.includes("ready tasks can't be read"));
    await expect.poll(failed, PATIENCE).not.toEqual([]);
    const last = workers.at(-1)?.agentId ?? "";
    await createTask(ctx, { title: "For the last", assigneeAgentId: last });
    expect((await Promise.race(claims))?.task.claimedByAgentId).toBe(last);
    end();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createWorker } from "../../support/workers.ts";

const NOW = new Date("2100-01-01T10:00:00.000Z");

let server: TestServer;
let worker: Ctx & { agentId: string };
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId } = await server.createWorkspace());
  worker = await createWorker(server, workspaceId);
  worker.now = NOW;
});

function after(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

async function make(title: string, fields: Partial<Parameters<typeof createTask>[1]> = {}): Promise<string> {
  return (await createTask(worker, { title, ...fields })).id;
}

async function claimTitles(queues?: string[]): Promise<string[]> {
  const titles: string[] = [];
  for (;;) {
    const claim = await claimTask(worker, queues === undefined ? {} : { queues });
    if (claim === null) return titles;
    titles.push(claim.task.title);
  }
}

describe("claimTask", () => {
  it("returns a task with a lease whose attempt grows with each claim", async () => {
    const id = await make("One");
    const claim = await claimTask(worker, { leaseSeconds: 45 });
    expect(claim?.task).toMatchObject({
      id,
      status: "working",
      attempt: 1,
      claimedByAgentId: worker.agentId,
      generation: 2,
    });
    expect(claim?.lease).toMatchObject({ attempt: 1, expiresAt: after(45) });
    expect(claim?.lease.token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(claim?.task)).not.toContain(claim?.lease.token ?? "");
  });

  it("claims by priority, then by time ready, then by creation, across queues", async () => {
    worker.now = after(-100);
    await make("urgent but later", { priority: 9, runAfter: after(60), queue: "a" });
    await make("usual, ready late", { runAfter: after(-1), queue: "a" });
    await make("usual, second", { queue: "b" });
    await make("low", { priority: 0, queue: "b" });
    worker.now = after(-99);
    await make("usual, third", { queue: "a" });
    await make("high", { priority: 8, queue: "b" });
    await make("elsewhere", { queue: "c", priority: 9 });
    worker.now = NOW;
    expect(await claimTitles(["a", "b"])).toEqual([
      ...["high", "usual, second", "usual, third", "usual, ready late", "low"],
    ]);
    worker.now = after(60);
    expect(await claimTitles(["a", "b"])).toEqual(["urgent but later"]);
  });

  it("gives an assigned task only to its assignee, in order with the others", async () => {
    const other = await createWorker(server, workspaceId);
    other.now = NOW;
    await make("of the other", { assigneeAgentId: other.agentId, priority: 9 });
    await make("of nobody");
    await make("of the worker", { assigneeAgentId: worker.agentId, priority: 7 });
    expect(await claimTitles()).toEqual(["of the worker", "of nobody"]);
    expect((await claimTask(other, {}))?.task.title).toBe("of the other");
  });

  it("gives every task once under concurrent claims", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, index) => make(`${index}`)));
    const claims = await Promise.all(Array.from({ length: 40 }, () => claimTask(worker, {})));
    const claimed = claims.flatMap((claim) => (claim === null ? [] : [claim.task.id]));
    expect(claimed.toSorted()).toEqual(ids.toSorted());
  });

  it("gives nothing to paused, stopped or archived agents, or during an emergency stop", async () => {
    const id = await make("One");
    const { query } = server.database;
    const where = [workspaceId, worker.agentId];
    for (const state of ["paused", "stopped"]) {
      await query("UPDATE agent SET control_state = $3::control_state WHERE workspace_id = $1 AND id = $2", [
        ...where,
        state,
      ]);
      expect(await claimTask(worker, {})).toBeNull();
    }
    await query(
      "UPDATE agent SET control_state = 'active', archived_at = now() WHERE workspace_id = $1 AND id = $2",
      where,
    );
    expect(await claimTask(worker, {})).toBeNull();
    await query("UPDATE agent SET archived_at = NULL WHERE workspace_id = $1 AND id = $2", where);
    await emergencyStop(userCtx(server, workspaceId, "operator"), { reason: "x" });
    expect(await claimTask(worker, {})).toBeNull();
    await releaseEmergencyStop(userCtx(server, workspaceId, "admin"), { reason: "x" });
    expect((await claimTask(worker, {}))?.task.id).toBe(id);
  });

  it("waits for a task, and returns it as soon as it is created", async () => {
    const started = performance.now();
    const waiting = claimTask(worker, { queues: ["later"], waitSeconds: 20 });
    await make("At last", { queue: "later" });
    expect((await waiting)?.task.title).toBe("At last");
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("checks about once a second while waiting, whatever happens in other queues", async () => {
    const { services } = server;
    let looks = 0;
    const database: typeof services.database = {
      ...services.database,
      runIn: (lane) => (statement, values) => {
        if (statement.name === "ready_1") looks++;
        return services.database.runIn(lane)(statement, values);
      },
    };
    const gone = new AbortController();
    const begunMs = performance.now();
    const patient = openCtx({ ...services, database }, { ...worker });
    patient.signal = gone.signal;
    const waiting = claimTask(patient, { queues: ["quiet"], waitSeconds: 20 });
    for (let turn = 0; turn < 40; turn++) await make("Noise", { queue: "noisy" });
    gone.abort();
    expect(await waiting).toBeNull();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(2 + (performance.now() - begunMs) / 1000);
  });

  it("stops waiting and claims nothing when the caller disconnects", async () => {
    const gone = new AbortController();
    worker.signal = gone.signal;
    const waiting = claimTask(worker, { waitSeconds: 20 });
    gone.abort();
    expect(await waiting).toBeNull();
    worker.signal = null;
    await make("Still there");
    expect((await claimTask(worker, {}))?.task.title).toBe("Still there");
  });

  it("updates totals and writes an event", async () => {
    const id = await make("One");
    await claimTask(worker, {});
    const totals = await server.database.query(
      "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'tasks' ORDER BY facet",
      [workspaceId],
    );
    expect(totals).toEqual([
      { facet: "all", total: 1 },
      { facet: "submitted", total: 0 },
      { facet: "working", total: 1 },
    ]);
    const [event] = await server.database.query<{ data: object }>(
      "SELECT type, agent_id, data FROM event WHERE workspace_id = $1 AND subject_id = $2 AND subject_type = 'task' ORDER BY seq DESC LIMIT 1",
      [workspaceId, id],
    );
    expect(event).toMatchObject({
      type: "task.updated",
      agent_id: worker.agentId,
      data: { status: "working", attempt: 1, generation: 2 },
    });
  });

  it("stores the token only as a digest", async () => {
    await make("One");
    const claim = await claimTask(worker, {});
    const token = claim?.lease.token ?? "no claim";
    const rows = await server.database.query(
      "SELECT t::text FROM task t WHERE workspace_id = $1 UNION ALL SELECT e::text FROM event e WHERE workspace_id = $1",
      [workspaceId],
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(server.logged.join("\n")).not.toContain(token);
  });

  it.each([
    ["queues", { queues: [] }],
    ["queues", { queues: Array.from({ length: 17 }, (_, index) => `q${index}`) }],
    ["queues.0", { queues: ["Upper"] }],
    ["leaseSeconds", { leaseSeconds: 9 }],
    ["leaseSeconds", { leaseSeconds: 601 }],
    ["waitSeconds", { waitSeconds: 26 }],
    ["waitSeconds", { waitSeconds: -1 }],
  ])("rejects a wrong %s (case %#)", async (field, input) => {
    await expect(claimTask(worker, input)).rejects.toMatchObject({
      code: "validation_failed",
      details: { field },
    });
  });

  it("rejects an actor without the scope, and every user", async () => {
    if (worker.actor.type === "agent") worker.actor = { ...worker.actor, scopes: new Set(["tasks:read"]) };
    expect(await getErrorCode(claimTask(worker, {}))).toBe("insufficient_scope");
    expect(await getErrorCode(claimTask(userCtx(server, workspaceId, "owner"), {}))).toBe("forbidden");
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgent } from "../../../src/domain/agents/create-agent.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { readQuotas } from "../../../src/domain/quotas/read-quotas.ts";
import { measureStorage } from "../../../src/domain/quotas/measure-storage.ts";
import type { QuotaName } from "../../../src/domain/quotas/quota.ts";
import { setQuotas } from "../../../src/domain/quotas/set-quotas.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { createPerson } from "../../support/people.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

type Tenant = Awaited<ReturnType<TestWorld["another"]>>;

/** An hour before midnight, so that a day has this many seconds left. */
const LATE = new Date("2026-11-28T23:00:00.250Z");

let world: TestWorld;
let own: Tenant;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  own = await world.another();
});

async function openAgent(now: Date | null = null): Promise<Ctx> {
  const { workspaceId } = own;
  const id = await insertTestAgent(own.ctx);
  return agentCtx(world.server, { id, workspaceId }, { now });
}

async function used(name: QuotaName, ctx = own.ctx): Promise<number | undefined> {
  return (await readQuotas(ctx)).find((one) => one.name === name)?.used;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("the quota of tasks a day", () => {
  it("is told with 429 and when it ends, and holds until the day is over", async () => {
    await setQuotas(own.ctx, { tasks_per_day: 2 });
    const today = await openAgent(LATE);
    const tomorrow = openCtx(world.server.services, today, new Date("2026-11-29T00:00:01Z"));
    for (const title of ["one", "two"]) await createTask(today, { title });
    expect(await refusal(createTask(today, { title: "three" }))).toMatchObject({
      code: "rate_limited",
      details: {
        quota: { name: "tasks_per_day", limit: 2, used: 2, resetsInSeconds: 3600 },
        retryAfterSeconds: 3600,
      },
    });
    await createTask(tomorrow, { title: "three" });
  });

  it("lets exactly as many pass, however many come at once, and none of another workspace's", async () => {
    const other = await world.another();
    await setQuotas(own.ctx, { tasks_per_day: 5 });
    const titles = Array.from({ length: 12 }, (_one, index) => `task ${index}`);
    const answers = await Promise.all(
      titles.flatMap((title) => [
        own.agent.post("/api/v1/tasks", { title }),
        other.agent.post("/api/v1/tasks", { title }),
      ]),
    );
    const [mine, others] = [0, 1].map((place) =>
      answers.filter((_answer, index) => index % 2 === place).map(({ status }) => status),
    );
    expect(mine?.toSorted()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)]);
    expect(others).toEqual(Array(12).fill(201));
    expect([await used("tasks_per_day"), await used("tasks_per_day", other.ctx)]).toEqual([5, 12]);
    const refused = answers.find(({ status }) => status === 429);
    if (refused === undefined) throw new Error("nothing was refused");
    expectProblem(refused, 429, "rate_limited");
    const seconds = refused.body.quota.resets_in_s;
    expect(refused.body.quota).toEqual({ name: "tasks_per_day", limit: 5, used: 5, resets_in_s: seconds });
    expect(refused.headers.get("retry-after")).toBe(String(seconds));
    expect(seconds).toBeLessThanOrEqual(86_400);
  });

  it("holds people too, but not the service itself", async () => {
    await setQuotas(own.ctx, { tasks_per_day: 0 });
    const person = userCtx(world.server, own.workspaceId, "operator");
    expect(await getErrorCode(createTask(person, { title: "one" }))).toBe("rate_limited");
    expect(await getErrorCode(createTask(own.ctx, { title: "one" }))).toBe("");
  });
});

describe("the quota of events a second", () => {
  it("holds agents, who may try again a second later, and people never", async () => {
    await setQuotas(own.ctx, { events_per_second: 2 });
    const agent = await openAgent(LATE);
    for (const title of ["one", "two"]) await createTask(agent, { title });
    expect(await refusal(createTask(agent, { title: "three" }))).toMatchObject({
      code: "rate_limited",
      details: {
        quota: { name: "events_per_second", limit: 2, used: 2, resetsInSeconds: 1 },
        retryAfterSeconds: 1,
      },
    });
    const person = openCtx(world.server.services, userCtx(world.server, own.workspaceId, "operator"), LATE);
    expect(await getErrorCode(createTask(person, { title: "three" }))).toBe("");
    const later = openCtx(world.server.services, agent, new Date(LATE.getTime() + 1000));
    expect(await getErrorCode(createTask(later, { title: "four" }))).toBe("");
  });
});

describe("the quota of agents", () => {
  it("is told with 403, counts no archived ones, and holds however many are made at once", async () => {
    await setQuotas(own.ctx, { agents: 4 });
    const admin = await createPerson(world.server, own.workspaceId, { role: "admin" });
    const ctx = personCtx(world.server, { id: admin.id, workspaceId: own.workspaceId }, { role: "admin" });
    const handles = Array.from({ length: 6 }, (_one, index) => `agent-${index}`);
    const made = await Promise.all(handles.map((handle) => refusal(createAgent(ctx, { handle }))));
    // The workspace has one for its primary key.
    expect(made.filter((error) => error === null)).toHaveLength(3);
    for (const error of made.filter((one) => one !== null))
      expect(error).toMatchObject({
        code: "quota_exceeded",
        details: { quota: { name: "agents", limit: 4, used: 4, resetsInSeconds: null } },
      });
    await world.server.database.query(
      "UPDATE agent SET archived_at = now() WHERE workspace_id = $1 AND handle LIKE 'agent-%'",
      [own.workspaceId],
    );
    expect(await getErrorCode(createAgent(ctx, { handle: "another" }))).toBe("");
    expect(await used("agents")).toBe(2);
  });
});

describe("the quota of storage", () => {
  it("is measured for each workspace, and refuses new work and telemetry with 403", async () => {
    const { database } = world.server.services;
    const agent = await openAgent();
    const text = Array.from({ length: 4000 }, () => crypto.randomUUID()).join("");
    await createTask(agent, { title: "large", input: [{ text }] });
    const before = await used("storage_bytes", world.ctx);
    expect(before).toBe(0);
    await world.server.database.query("UPDATE workspace_head SET storage_at = NULL");
    expect(await measureStorage(database, { everyMs: 60_000 })).toBe(true);
    expect(await measureStorage(database, { everyMs: 60_000 })).toBe(false);
    const [mine, others] = [await used("storage_bytes"), await used("storage_bytes", world.ctx)];
    expect(mine).toBeGreaterThan(140_000);
    expect(others).toBeGreaterThan(0);
    expect(mine).toBeGreaterThan((others ?? 0) + 100_000);

    await setQuotas(own.ctx, { storage_bytes: 100_000 });
    const refused = await own.agent.post("/api/v1/tasks", { title: "one more" });
    expectProblem(refused, 403, "quota_exceeded");
    expect(refused.body.quota).toEqual({
      ...{ name: "storage_bytes", limit: 100_000, used: mine, resets_in_s: null },
    });
    const spans = await own.agent.post("/v1/traces", { resourceSpans: [] });
    expect({ status: spans.status, text: spans.text }).toMatchObject({
      status: 403,
      text: expect.stringContaining("storage"),
    });
    expect((await own.agent.post("/api/v1/tasks/claim", { queues: ["default"] })).status).toBe(200);
    expect((await world.agent.post("/api/v1/tasks", { title: "one more" })).status).toBe(201);
  });
});

describe("setQuotas", () => {
  it("changes what is given, and is audited", async () => {
    await setQuotas(own.ctx, { agents: 10, storage_bytes: 1_000_000 });
    await setQuotas(own.ctx, { agents: null, tasks_per_day: 7 });
    expect((await readQuotas(own.ctx)).map(({ name, limit }) => [name, limit])).toEqual([
      ["agents", null],
      ["tasks_per_day", 7],
      ["events_per_second", null],
      ["storage_bytes", 1_000_000],
    ]);
    const audited = await lastAudit(world.server, own.workspaceId);
    expect(audited).toMatchObject({
      action: "workspace.quotas_changed",
      changes: { agents: { from: 10, to: null }, tasks_per_day: { from: null, to: 7 } },
    });
    await setQuotas(own.ctx, { tasks_per_day: 7 });
    expect(await readEventTypes(world.server, own.workspaceId)).toEqual([
      "workspace.created",
      "workspace.updated",
      "workspace.updated",
    ]);
  });

  it("is for who runs the service alone; owners and admins see the quotas, others don't", async () => {
    const owner = userCtx(world.server, own.workspaceId, "owner");
    expect(await getErrorCode(setQuotas(owner, { agents: 1 }))).toBe("forbidden");
    expect(await getErrorCode(setQuotas(own.ctx, { agents: -1 }))).toBe("validation_failed");
    expect(await readQuotas(owner)).toHaveLength(4);
    const operator = userCtx(world.server, own.workspaceId, "operator");
    expect(await getErrorCode(readQuotas(operator))).toBe("forbidden");
  });

  it("never refuses what is urgent", async () => {
    await setQuotas(own.ctx, { events_per_second: 0, tasks_per_day: 0, storage_bytes: 0, agents: 0 });
    const owner = await createPerson(world.server, own.workspaceId, { role: "owner" });
    const { id } = await createPerson(world.server, own.workspaceId, { role: "viewer" });
    const ctx = personCtx(world.server, { id: owner.id, workspaceId: own.workspaceId }, { role: "owner" });
    expect(await getErrorCode(deactivateUser(ctx, id))).toBe("");
  });
});

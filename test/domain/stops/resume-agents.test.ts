import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { readStoppedAgents } from "../../../src/domain/stops/is-stopped.ts";
import { readStopProgress } from "../../../src/domain/stops/read-stop-progress.ts";
import { releaseStop } from "../../../src/domain/stops/release-stop.ts";
import { resumeAgents } from "../../../src/domain/stops/resume-agents.ts";
import { sweepStops } from "../../../src/domain/stops/sweep-stops.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { createWorker } from "../../support/workers.ts";

// No sweep runs by itself, so that what an interrupted call has left stays.
let quiet: QuietServices;
let workspaceId: string;
let operator: Ctx;
let admin: Ctx;
let agents: string[];
let stopId: string;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** Ten agents, the first three in hall a, all stopped. */
beforeEach(async () => {
  ({ workspaceId } = await quiet.createWorkspace());
  operator = userCtx(quiet, workspaceId, "operator");
  admin = userCtx(quiet, workspaceId, "admin");
  await quiet.database.query("UPDATE agent SET archived_at = now() WHERE workspace_id = $1", [workspaceId]);
  const made = await quiet.database.query<{ id: string }>(
    `INSERT INTO agent (workspace_id, id, handle, name, labels)
     SELECT $1, gen_random_uuid(), 'agent-' || n, 'One', CASE WHEN n <= 3 THEN '{"hall": "a"}' ELSE '{}' END::jsonb
     FROM generate_series(1, 10) n RETURNING id`,
    [workspaceId],
  );
  agents = made.map(({ id }) => id);
  stopId = (await emergencyStop(operator, { reason: "Smoke" })).stop.id;
});

async function readStopped(): Promise<string[]> {
  const stopped = await readStoppedAgents(operator, agents);
  return agents.filter((id) => stopped.has(id));
}

type Meant = Parameters<typeof resumeAgents>[1]["agents"];

function resume(meant: Meant) {
  return resumeAgents(admin, { id: stopId, agents: meant, reason: "Next" });
}

async function countCommands(batchId: string, type = "agent.resume"): Promise<number> {
  return operator.db.agentCommand.count({ where: { batchId, type } });
}

describe("resumeAgents", () => {
  it("resumes those that are named, with labels, or a percentage; the others stay stopped", async () => {
    const [one = "", other = ""] = agents.slice(5);
    const stop = await resume({ ids: [one, other] });
    expect(stop.stages).toMatchObject([{ count: 2, reason: "Next", labels: null, percent: null }]);
    expect(await readStopped()).toEqual(agents.filter((id) => id !== one && id !== other));
    await resume({ labels: { hall: "a" } });
    expect(await readStopped()).toHaveLength(5);
    expect((await readStopProgress(operator, [stopId])).get(stopId)?.agents.total).toBe(5);
    const last = await resume({ percent: 100 });
    expect(last.stages.map(({ count }) => count)).toEqual([2, 3, 5]);
    expect(await readStopped()).toEqual([]);
    for (const { id, count } of last.stages) expect(await countCommands(id)).toBe(count);
  });

  it("lets a resumed agent work, and no other", async () => {
    const [one, other] = [await createWorkerThen(), agents[1] ?? ""];
    for (const assigneeAgentId of [one.agentId, other])
      await createTask(one, { title: "x", assigneeAgentId });
    expect(await claimTask(one, {})).toBeNull();
    await resumeAgents(admin, { id: stopId, agents: { ids: [one.agentId] }, reason: "x" });
    expect((await claimTask(one, {}))?.task.assigneeAgentId).toBe(one.agentId);
    expect(await readStopped()).toEqual(agents);
  });

  /** An agent that existed when another stop began. */
  async function createWorkerThen() {
    await releaseStop(admin, { id: stopId, reason: "x" });
    const worker = await createWorker(quiet, workspaceId);
    stopId = (await emergencyStop(operator, { reason: "Smoke" })).stop.id;
    return worker;
  }

  it("takes the same agents for a percentage each time, and more for a larger one", async () => {
    await resume({ percent: 40 });
    const first = await readStopped();
    expect((await resume({ percent: 40 })).stages.at(-1)?.count).toBe(0);
    expect(await readStopped()).toEqual(first);
    await resume({ percent: 70 });
    const second = await readStopped();
    expect(second.filter((id) => !first.includes(id))).toEqual([]);
    await releaseStop(admin, { id: stopId, reason: "x" });
    stopId = (await emergencyStop(operator, { reason: "Again" })).stop.id;
    await resume({ percent: 70 });
    expect(await readStopped()).toEqual(second);
  });

  it("sends nothing to agents that are paused, or that another stop covers", async () => {
    const [paused = "", other = ""] = agents.slice(4);
    await setAgentControlState(operator, { id: paused, controlState: "paused" });
    await emergencyStop(operator, { reason: "x", scope: { labels: { hall: "a" } } });
    const [stage] = (await resume({ ids: [paused, other, agents[0] ?? ""] })).stages;
    expect([stage?.count, await countCommands(stage?.id ?? "")]).toEqual([3, 1]);
    expect(await readStopped()).toContain(agents[0]);
    expect(await readStopped()).not.toContain(paused);
  });

  it("makes a later stop of the same scope another one, which stops everybody again", async () => {
    await resume({ percent: 100 });
    const { stop } = await emergencyStop(operator, { reason: "Again" });
    expect(stop.id).not.toBe(stopId);
    expect(await readStopped()).toEqual(agents);
  });

  it("is audited, and appends an event", async () => {
    const [stage] = (await resume({ percent: 100 })).stages;
    const changes = { stage_id: stage?.id, ids: null, labels: null, percent: 100, count: 10, reason: "Next" };
    expect(
      await quiet.database.query(
        "SELECT target_id, changes FROM audit_event WHERE workspace_id = $1 AND action = 'stop.resumed'",
        [workspaceId],
      ),
    ).toEqual([{ target_id: stopId, changes }]);
    expect(
      await quiet.database.query(
        "SELECT subject_id, data FROM event WHERE workspace_id = $1 AND type = 'stop.resumed'",
        [workspaceId],
      ),
    ).toEqual([{ subject_id: stopId, data: { stage_id: stage?.id, count: 10, reason: "Next" } }]);
  });

  it.each<[Meant, string]>([
    [{}, "agents"],
    [{ ids: [], labels: {} }, "agents.ids"],
    [{ percent: 5, labels: { hall: "a" } }, "agents"],
    [{ percent: 0 }, "agents.percent"],
    [{ percent: 101 }, "agents.percent"],
    [{ labels: {} }, "agents.labels"],
    [{ labels: { hall: "z" } }, "agents.labels"],
    [{ ids: ["019f0000-0000-7000-8000-000000000000"] }, "agents.ids"],
  ])("rejects %j, and names the field", async (meant, field) => {
    expect(await getErrorDetails(resume(meant))).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
    expect(await readStopped()).toHaveLength(10);
  });

  it("is for admins, and for a stop of the workspace that stands", async () => {
    const input = { id: stopId, agents: { percent: 100 }, reason: "x" };
    expect(await getErrorCode(resumeAgents(operator, input))).toBe("forbidden");
    expect(await getErrorCode(releaseStop(operator, { id: stopId, reason: "x" }))).toBe("forbidden");
    const other = userCtx(quiet, (await quiet.createWorkspace()).workspaceId, "admin");
    expect(await getErrorCode(resumeAgents(other, input))).toBe("not_found");
    expect(await getErrorCode(releaseStop(other, { id: stopId, reason: "x" }))).toBe("not_found");
    await releaseStop(admin, { id: stopId, reason: "x" });
    expect(await getErrorCode(resumeAgents(admin, input))).toBe("invalid_state");
    expect(await getErrorCode(releaseStop(admin, { id: stopId, reason: "x" }))).toBe("invalid_state");
  });
});

describe("what an interrupted call has not sent", () => {
  it("the sweep sends: to resumed agents", async () => {
    const [stage] = (await resume({ labels: { hall: "a" } })).stages;
    await quiet.database.query(
      `WITH lost AS (DELETE FROM agent_command WHERE batch_id = $1 AND agent_id = ANY($2))
       UPDATE resumed_agent SET sent = false WHERE agent_id = ANY($2)`,
      [stage?.id, agents.slice(0, 2)],
    );
    await sweepStops(quiet.services);
    expect(await countCommands(stage?.id ?? "")).toBe(3);
  });

  it("the sweep sends: to all agents of a released stop but those that were resumed before", async () => {
    await resume({ labels: { hall: "a" } });
    // As if the process had ended after the release was committed.
    await quiet.database.query(
      "UPDATE stop SET released_at = now(), sent = false, sent_to = NULL WHERE id = $1",
      [stopId],
    );
    await sweepStops(quiet.services);
    expect(await countCommands(stopId)).toBe(7);
    expect(await quiet.database.query("SELECT 1 FROM stop WHERE NOT sent")).toEqual([]);
  });
});

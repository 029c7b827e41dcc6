import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TaskStatus } from "../../../src/db/generated/enums.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { readLogged, runWhileEventsBreak } from "../../support/broken-events.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import {
  TASK_ACTS,
  type TaskActName,
  passTaskTime,
  sceneIn,
  readStoredTask,
} from "../../support/task-scene.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** The event and audit event of each action, from a status in which it has an effect. Agents' actions are not audited. */
const LOGGED: { act: TaskActName; from: TaskStatus; events: string[]; acts: string[] }[] = [
  { act: "claim", from: "submitted", events: ["task.updated"], acts: [] },
  { act: "complete", from: "working", events: ["task.completed"], acts: [] },
  { act: "fail", from: "working", events: ["task.updated"], acts: [] },
  { act: "failForGood", from: "working", events: ["task.failed"], acts: [] },
  { act: "release", from: "working", events: ["task.updated"], acts: [] },
  { act: "reject", from: "working", events: ["task.rejected"], acts: [] },
  { act: "rejectUnclaimed", from: "submitted", events: ["task.rejected"], acts: [] },
  { act: "ask", from: "working", events: ["message.created", "task.updated"], acts: [] },
  {
    act: "answer",
    from: "input_required",
    events: ["message.created", "message.answered", "task.updated"],
    acts: ["message.created"],
  },
  { act: "cancel", from: "submitted", events: ["task.canceled"], acts: ["task.canceled"] },
  {
    act: "cancel",
    from: "working",
    events: ["task.updated", "agent_command.created"],
    acts: ["task.cancel_requested"],
  },
];

describe.each(LOGGED)("$act of a task with status $from", ({ act, from, events, acts }) => {
  it("writes the change, event and audit event in one transaction", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, from);
    const before = { task: await readStoredTask(scene), log: await readLogged(server.database, workspaceId) };
    const failed = await runWhileEventsBreak(server.database, async () =>
      TASK_ACTS[act](scene).catch(() => "failed"),
    );
    expect(failed).toBe("failed");
    expect(await readStoredTask(scene)).toEqual(before.task);
    expect(await readLogged(server.database, workspaceId)).toEqual(before.log);
    await TASK_ACTS[act](scene);
    expect(await readLogged(server.database, workspaceId)).toEqual({
      events: [...before.log.events, ...events],
      acts: [...before.log.acts, ...acts],
    });
    expect((await readStoredTask(scene)).generation).toBe(before.task.generation + 1);
  });
});

describe("createTask", () => {
  it("always writes an event, and an audit event for users", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { operator, worker } = await sceneIn({ server, workspaceId }, "submitted");
    const before = await readLogged(server.database, workspaceId);
    await createTask(worker, { title: "x" });
    await createTask(operator, { title: "x" });
    expect(await readLogged(server.database, workspaceId)).toEqual({
      events: [...before.events, "task.created", "task.created"],
      acts: [...before.acts, "task.created"],
    });
  });
});

describe("a heartbeat", () => {
  it("writes no event, audit event or generation", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, "working");
    const before = [await readLogged(server.database, workspaceId), (await readStoredTask(scene)).generation];
    passTaskTime(scene, 10);
    await TASK_ACTS.heartbeat(scene);
    expect([
      await readLogged(server.database, workspaceId),
      (await readStoredTask(scene)).generation,
    ]).toEqual(before);
  });
});

describe("a sweep", () => {
  it("writes events but no audit events", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, "working");
    const before = await readLogged(server.database, workspaceId);
    passTaskTime(scene, 60);
    await TASK_ACTS.sweep(scene);
    expect(await readLogged(server.database, workspaceId)).toEqual({
      events: [...before.events, "task.lease_expired"],
      acts: before.acts,
    });
  });
});

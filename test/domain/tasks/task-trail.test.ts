import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TaskStatus } from "../../../src/db/generated/enums.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { toldOf, whileEventsBreak } from "../../support/broken-events.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { ACTS, type ActName, passTime, sceneIn, taskOf } from "../../support/task-scene.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** What each act tells, from a status in which it does something; agents' own acts are not audited. */
const TOLD: { act: ActName; from: TaskStatus; events: string[]; acts: string[] }[] = [
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

describe.each(TOLD)("$act of a task that is $from", ({ act, from, events, acts }) => {
  it("is written, told and audited as one: all of it or nothing", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, from);
    const before = { task: await taskOf(scene), told: await toldOf(server.database, workspaceId) };
    const failed = await whileEventsBreak(server.database, async () =>
      ACTS[act](scene).catch(() => "failed"),
    );
    expect(failed).toBe("failed");
    expect(await taskOf(scene)).toEqual(before.task);
    expect(await toldOf(server.database, workspaceId)).toEqual(before.told);
    await ACTS[act](scene);
    expect(await toldOf(server.database, workspaceId)).toEqual({
      events: [...before.told.events, ...events],
      acts: [...before.told.acts, ...acts],
    });
    expect((await taskOf(scene)).generation).toBe(before.task.generation + 1);
  });
});

describe("createTask", () => {
  it("is told always, and audited where a person does it", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { operator, worker } = await sceneIn({ server, workspaceId }, "submitted");
    const before = await toldOf(server.database, workspaceId);
    await createTask(worker, { title: "x" });
    await createTask(operator, { title: "x" });
    expect(await toldOf(server.database, workspaceId)).toEqual({
      events: [...before.events, "task.created", "task.created"],
      acts: [...before.acts, "task.created"],
    });
  });
});

describe("a heartbeat", () => {
  it("is neither told nor audited, and changes no generation", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, "working");
    const before = [await toldOf(server.database, workspaceId), (await taskOf(scene)).generation];
    passTime(scene, 10);
    await ACTS.heartbeat(scene);
    expect([await toldOf(server.database, workspaceId), (await taskOf(scene)).generation]).toEqual(before);
  });
});

describe("a sweep", () => {
  it("is told and not audited", async () => {
    const { workspaceId } = await server.createWorkspace();
    const scene = await sceneIn({ server, workspaceId }, "working");
    const before = await toldOf(server.database, workspaceId);
    passTime(scene, 60);
    await ACTS.sweep(scene);
    expect(await toldOf(server.database, workspaceId)).toEqual({
      events: [...before.events, "task.lease_expired"],
      acts: before.acts,
    });
  });
});

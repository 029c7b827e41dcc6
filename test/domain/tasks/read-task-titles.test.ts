import { afterAll, beforeAll, expect, it } from "vitest";
import { readTaskTitles } from "../../../src/domain/tasks/read-task-titles.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { createTraceScene } from "../../support/trace-scene.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

it("readTaskTitles reads those of the workspace, for those who may read tasks", async () => {
  const [own, other] = [await createTraceScene(server), await createTraceScene(server)];
  const { id } = await createTask(own.agent, { title: "Refund order 5", queue: "refunds" });
  expect(await readTaskTitles(own.agent, [id, crypto.randomUUID()])).toEqual(
    new Map([[id, "Refund order 5"]]),
  );
  expect(await readTaskTitles(other.agent, [id])).toEqual(new Map());
  const { agentId, workspaceId } = own;
  const sender = agentCtx(server, { id: agentId, workspaceId }, { scopes: ["traces:read"] });
  expect(await readTaskTitles(sender, [id])).toEqual(new Map());
});

import type { Task } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { checkRequest } from "../../src/domain/gateway-checks/check-request.ts";
import { claimTask } from "../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { agentCtx } from "./agent-ctx.ts";
import { insertTestAgent } from "./factories.ts";
import { refund } from "./gateway-scene.ts";
import type { TestServer } from "./server.ts";

/** Creates an agent of the workspace for work. */
export async function createWorker(
  server: Pick<TestServer, "services" | "systemCtx">,
  workspaceId: string,
): Promise<Ctx & { agentId: string }> {
  const agentId = await insertTestAgent(server.systemCtx(workspaceId));
  return Object.assign(agentCtx(server, { id: agentId, workspaceId }), { agentId });
}

/** Creates a task in a queue of its own and lets the worker claim it. */
export async function claimNew(
  worker: Ctx,
  fields: Partial<Parameters<typeof createTask>[1]> = {},
): Promise<{ task: Task; token: string }> {
  const queue = `q-${crypto.randomUUID()}`;
  await createTask(worker, { title: "A task", queue, ...fields });
  const claim = await claimTask(worker, { queues: [queue] });
  if (claim === null) throw new Error("nothing to claim");
  return { task: claim.task, token: claim.lease.token };
}

/** Asks people about a refund for a task, as the policy ASK wants. @returns the approval's id. */
export async function askFor(worker: Ctx, taskId: string, amount = 900): Promise<string> {
  const request = refund({ amount }, { context: { task_id: taskId } });
  const { approval } = await checkRequest(worker, { requestText: JSON.stringify(request) });
  if (approval === null) throw new Error("nobody was asked");
  return approval.id;
}

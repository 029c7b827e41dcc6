import type { Task } from "../../src/db/generated/client.ts";
import type { TaskStatus } from "../../src/db/generated/enums.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { checkRequest } from "../../src/domain/gateway-checks/check-request.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { acknowledgeTaskCancel } from "../../src/domain/tasks/acknowledge-task-cancel.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { failTask } from "../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../src/domain/tasks/heartbeat-task.ts";
import { rejectTask } from "../../src/domain/tasks/reject-task.ts";
import { releaseTask } from "../../src/domain/tasks/release-task.ts";
import { sweepTasks } from "../../src/domain/tasks/sweep-tasks.ts";
import { userCtx } from "./callers.ts";
import { refund } from "./gateway-scene.ts";
import type { TestServer } from "./server.ts";
import { createWorker } from "./workers.ts";

/** Long after any sweep of the test's server. */
const START = new Date("2100-01-01T00:00:00.000Z");

/** One task, its agent and a user, at a time of their own. */
export type TaskScene = {
  worker: Ctx & { agentId: string };
  operator: Ctx;
  id: string;
  queue: string;
  /** The last lease's token, or "none". */
  token: string;
  /** The last question's id. */
  questionId: string;
};

/** Creates a task that only its worker claims. */
export async function createTaskScene(
  server: TestServer,
  workspaceId: string,
  fields: Partial<Parameters<typeof createTask>[1]> = {},
): Promise<TaskScene> {
  const worker = await createWorker(server, workspaceId);
  const operator = userCtx(server, workspaceId, "operator");
  const queue = `q-${crypto.randomUUID()}`;
  worker.now = START;
  operator.now = START;
  const { id } = await createTask(worker, {
    title: "A task",
    queue,
    assigneeAgentId: worker.agentId,
    ...fields,
  });
  return { worker, operator, id, queue, token: "none", questionId: "" };
}

/** Lets time pass in a scene. */
export function passTaskTime({ worker, operator }: TaskScene, seconds: number): void {
  worker.now = new Date((worker.now ?? START).getTime() + seconds * 1000);
  operator.now = worker.now;
}

/** Every action on a task. */
export const TASK_ACTS = {
  claim: async (scene: TaskScene) => {
    const claim = await claimTask(scene.worker, { queues: [scene.queue] });
    if (claim !== null) scene.token = claim.lease.token;
  },
  heartbeat: ({ worker, id, token }: TaskScene) => heartbeatTask(worker, { id, leaseToken: token }),
  complete: ({ worker, id, token }: TaskScene) =>
    completeTask(worker, { id, leaseToken: token, output: { done: true } }),
  fail: ({ worker, id, token }: TaskScene) =>
    failTask(worker, { id, leaseToken: token, error: { message: "It broke" } }),
  failForGood: ({ worker, id, token }: TaskScene) =>
    failTask(worker, { id, leaseToken: token, error: { message: "No such order", retryable: false } }),
  release: ({ worker, id, token }: TaskScene) => releaseTask(worker, { id, leaseToken: token }),
  reject: ({ worker, id, token }: TaskScene) => rejectTask(worker, { id, leaseToken: token }),
  rejectUnclaimed: ({ worker, id }: TaskScene) => rejectTask(worker, { id }),
  check: ({ worker, id }: TaskScene) => {
    const request = refund(undefined, { context: { task_id: id } });
    return checkRequest(worker, { requestText: JSON.stringify(request) });
  },
  ask: async (scene: TaskScene) => {
    const asked = { taskId: scene.id, leaseToken: scene.token, inputTimeoutSeconds: 300 };
    const parts = [{ text: "Which account?" }];
    const { message } = await sendMessage(scene.worker, { ...asked, kind: "question", parts });
    scene.questionId = message.id;
  },
  answer: ({ operator, questionId }: TaskScene) =>
    sendMessage(operator, { kind: "answer", replyToId: questionId, parts: [{ text: "The first" }] }),
  cancel: ({ operator, id }: TaskScene) => cancelTask(operator, { id, reason: "Not wanted" }),
  acknowledgeCancel: ({ worker, id, token }: TaskScene) =>
    acknowledgeTaskCancel(worker, { id, leaseToken: token }),
  sweep: ({ worker }: TaskScene) => sweepTasks(worker.services, worker.now),
} satisfies Record<string, (scene: TaskScene) => Promise<unknown>>;

export type TaskActName = keyof typeof TASK_ACTS;

/** How to bring a task into each status. */
const WAYS: Record<TaskStatus, TaskActName[]> = {
  submitted: [],
  working: ["claim"],
  input_required: ["claim", "ask"],
  auth_required: ["claim", "check"],
  completed: ["claim", "complete"],
  failed: ["claim", "failForGood"],
  canceled: ["claim", "cancel", "acknowledgeCancel"],
  rejected: ["claim", "reject"],
};

/** Creates a task with a status. */
export async function sceneIn(
  { server, workspaceId }: { server: TestServer; workspaceId: string },
  status: TaskStatus,
  fields: Partial<Parameters<typeof createTask>[1]> = {},
): Promise<TaskScene> {
  const scene = await createTaskScene(server, workspaceId, fields);
  for (const act of WAYS[status]) await TASK_ACTS[act](scene);
  return scene;
}

/** The stored task of a scene. */
export async function readStoredTask({ worker, id }: TaskScene): Promise<Task> {
  return worker.db.task.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: worker.workspaceId, id } },
  });
}

import type { AgentCommand } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import { createRandom } from "../random.ts";
import { minDate, addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";

/** A command to an agent, and its outcome. */
export type CommandScenario = {
  /** The seed of the command's id. */
  name: string;
  agentId: string;
  type: string;
  params: object;
  at: Date;
  status: AgentCommand["status"];
  by: ActorRecord;
  missionId: string | null;
  taskId: string | null;
  /** The range of its duration. */
  seconds: readonly [number, number];
};

const DAY_SECONDS = 86_400;
const OPEN = new Set<AgentCommand["status"]>(["queued", "delivered", "acknowledged", "running"]);

/** Builds a command's row. `seq` is set when it is inserted. */
export function commandRow(world: DemoWorld, order: CommandScenario): AgentCommand {
  const { agentId, type, params, at, status, missionId, taskId } = order;
  const course = buildCourse(world, order);
  const open = OPEN.has(status);
  const stamps = Object.values(course).filter((time) => time !== null);
  return {
    workspaceId: world.workspaceId,
    id: world.createId(`command ${order.name}`, at),
    agentId,
    seq: 0n,
    type,
    params: { ...params },
    status,
    priority: type.endsWith(".stop") || type === "task.cancel" ? "urgent" : "normal",
    notBefore: null,
    // A demo that is opened the next day should still have open commands.
    expiresAt: addSeconds(at, open ? 3 * DAY_SECONDS : 3600),
    nextDeadlineAt: open ? addSeconds(at, 3 * DAY_SECONDS) : null,
    ackTimeoutSeconds: 30,
    runTimeoutSeconds: open ? DAY_SECONDS : 600,
    deliveryAttempts: course.deliveredAt === null ? 0 : 1,
    ...course,
    progress: status === "succeeded" ? 1 : status === "running" ? 0.4 : null,
    statusDetail: getDetail(order),
    result: status === "succeeded" ? { ok: true } : null,
    error: getError(status),
    late: false,
    issuedBy: order.by,
    batchId: null,
    taskId,
    missionId,
    decisionId: null,
    approvalId: null,
    traceparent: null,
    generation: 1 + stamps.length,
    createdAt: at,
    updatedAt: course.finishedAt ?? course.startedAt ?? course.acknowledgedAt ?? course.deliveredAt ?? at,
  };
}

type Course = Pick<AgentCommand, "deliveredAt" | "acknowledgedAt" | "startedAt" | "finishedAt">;

/** Chooses the times that a command of this status has passed, none after the end of the month. */
function buildCourse(world: DemoWorld, { name, at, status, seconds }: CommandScenario): Course {
  const random = createRandom(`course ${name}`);
  function after(from: Date, least: number, most: number): Date {
    return minDate(addSeconds(from, random.between(least, most)), world.end);
  }
  const delivered = after(at, 0.05, 2.5);
  const acknowledged = after(delivered, 0.05, 1.5);
  const started = after(acknowledged, 0.02, 0.6);
  const finished = after(started, ...seconds);
  const none = { deliveredAt: null, acknowledgedAt: null, startedAt: null, finishedAt: null };
  switch (status) {
    case "awaiting_approval":
    case "queued":
      return none;
    case "delivered":
      return { ...none, deliveredAt: delivered };
    case "acknowledged":
      return { ...none, deliveredAt: delivered, acknowledgedAt: acknowledged };
    case "running":
      return { deliveredAt: delivered, acknowledgedAt: acknowledged, startedAt: started, finishedAt: null };
    case "succeeded":
    case "failed":
      return {
        deliveredAt: delivered,
        acknowledgedAt: acknowledged,
        startedAt: started,
        finishedAt: finished,
      };
    case "timed_out": {
      const finishedAt = after(started, 600, 600);
      return { deliveredAt: delivered, acknowledgedAt: acknowledged, startedAt: started, finishedAt };
    }
    case "rejected":
      return { ...none, deliveredAt: delivered, finishedAt: acknowledged };
    case "expired":
      return { ...none, finishedAt: after(at, 3600, 3600) };
    case "canceled":
      return { ...none, finishedAt: after(at, 5, 120) };
  }
}

function getDetail({ status, type }: CommandScenario): string | null {
  if (status === "rejected") return `The agent does not accept ${type} at this moment.`;
  if (status === "expired") return "The agent was not connected for an hour.";
  return status === "running" ? "Under way" : null;
}

function getError(status: AgentCommand["status"]): { code: string; message: string } | null {
  if (status === "failed") return { code: "agent_error", message: "The agent stopped in the middle of it." };
  if (status === "timed_out") return { code: "run_timeout", message: "No result came within 600 s." };
  return null;
}

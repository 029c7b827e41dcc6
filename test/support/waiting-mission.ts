import { sweepApprovals } from "../../src/domain/approvals/sweep-approvals.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { reportState } from "./mission-scene.ts";
import { type OrderScene, createOrderScene } from "./order-scene.ts";
import type { TestWorld } from "./test-world.ts";

/** A mission of an agent, for a task, that waits for people. */
export type WaitingMission = OrderScene & {
  policyId: string;
  missionId: string;
  approvalId: string;
  taskId: string;
};

/** Creates a mission that waits for people. Its robot is free. */
export async function createWaitingMission(
  world: TestWorld,
  approval: PolicyRuleInput["approval"] = {},
  input: Parameters<OrderScene["create"]>[1] = {},
): Promise<WaitingMission> {
  const scene = await createOrderScene(world);
  const { robot, robotId } = scene;
  await reportState(Object.assign(robot, { robotId, seq: 0 }));
  const { id: policyId } = await scene.rule("ask", { approval, actions: ["mission.create"] });
  const { id: taskId } = await createTask(scene.ctx, { title: "A task" });
  const mission = await scene.create(scene.agent, { taskId, ...input });
  return { ...scene, policyId, taskId, missionId: mission.id, approvalId: mission.approvalId ?? "" };
}

/** Ends questions as if their time was over. */
export async function sweepApprovalsLater({ server }: TestWorld): Promise<void> {
  await sweepApprovals(server.services, new Date(Date.now() + 901_000));
}

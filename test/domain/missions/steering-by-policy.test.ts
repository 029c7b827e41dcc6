import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mission } from "../../../src/db/generated/client.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { cancelMission } from "../../../src/domain/missions/cancel-mission.ts";
import { pauseMission, resumeMission } from "../../../src/domain/missions/pause-mission.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import { retryMissionStep, skipMissionStep } from "../../../src/domain/missions/steer-step.ts";
import { getErrorCode } from "../../support/callers.ts";
import { reportState } from "../../support/mission-scene.ts";
import { type OrderScene, createOrderScene } from "../../support/order-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const STEP = { stepKey: "drive" };

/** What people do with a mission, or with its robot. */
const ACTS = {
  "mission.pause": (by: Ctx, { id }: Mission) => pauseMission(by, { id }),
  "mission.cancel": (by: Ctx, { id }: Mission) => cancelMission(by, { id }),
  "mission.resume": (by: Ctx, { id }: Mission) => resumeMission(by, { id, reason: "Go on." }),
  "mission.retry_step": (by: Ctx, { id }: Mission) => retryMissionStep(by, { id, ...STEP }),
  "mission.skip_step": (by: Ctx, { id }: Mission) => skipMissionStep(by, { id, ...STEP }),
  "agent.pause": (by: Ctx, { robotId }: Mission) =>
    setAgentControlState(by, { id: robotId ?? "", controlState: "paused" }),
  "agent.stop": (by: Ctx, { robotId }: Mission) =>
    setAgentControlState(by, { id: robotId ?? "", controlState: "stopped" }),
  "agent.resume": (by: Ctx, { robotId }: Mission) =>
    setAgentControlState(by, { id: robotId ?? "", controlState: "active" }),
} satisfies Record<string, (by: Ctx, mission: Mission) => Promise<unknown>>;

type Action = keyof typeof ACTS;

const GATED = ["mission.resume", "mission.retry_step", "mission.skip_step", "agent.resume"] as const;
const NEVER = ["mission.pause", "mission.cancel", "agent.pause", "agent.stop"] as const;

type Scene = OrderScene & { mission: Mission; operator: Ctx };

/** A mission of the scene's robot in which this can be done. */
async function createScene(action: Action): Promise<Scene> {
  const scene = await createOrderScene(world);
  const { robot, robotId, create, person } = scene;
  await reportState(Object.assign(robot, { robotId, seq: 0 }));
  const operator = await person();
  const steps = [
    { key: "drive", type: "move" as const },
    { key: "lift", type: "action" as const },
  ];
  const { id } = await create(operator, { steps });
  const status = action === "mission.retry_step" ? "retriable" : "running";
  await reportMissionProgress(robot, { id, steps: [{ key: "drive", status }] });
  if (action === "mission.resume") await pauseMission(operator, { id });
  if (action === "agent.resume") await ACTS["agent.pause"](operator, await scene.readMission(id));
  return { ...scene, mission: await scene.readMission(id), operator };
}

async function readCommands({ ctx }: Scene, type: string) {
  return ctx.db.agentCommand.findMany({ where: { type } });
}

describe.each(GATED)("%s", (action) => {
  it("is done where no policy is for it", async () => {
    const scene = await createScene(action);
    await scene.rule("deny", { actions: ["robot.dock"] });
    await ACTS[action](scene.operator, scene.mission);
    expect(await readCommands(scene, action)).toMatchObject([{ decisionId: null, status: "queued" }]);
    expect(await scene.listDecisions()).toEqual([]);
  });

  it("is done where policies allow it, and its command names the decision", async () => {
    const scene = await createScene(action);
    await scene.rule("allow", { actions: [action] });
    await ACTS[action](scene.operator, scene.mission);
    const [decision] = await scene.listDecisions();
    expect(decision).toMatchObject({ outcome: "allow", action, resourceId: scene.robotId });
    expect(await readCommands(scene, action)).toMatchObject([
      { decisionId: decision?.id, approvalId: null, status: "queued" },
    ]);
  });

  it.each([
    ["deny", "policy_denied", "policy_deny"],
    ["ask", "approval_required", "approval_required"],
  ] as const)(
    "changes nothing where policies %s, and the decision is logged",
    async (effect, code, reason) => {
      const scene = await createScene(action);
      const { rule, operator, mission, readMission, listDecisions, ctx, robotId } = scene;
      await rule(effect);
      const before = [await readMission(mission.id), await ctx.db.agent.findMany({ where: { id: robotId } })];
      expect(await getErrorCode(ACTS[action](operator, mission))).toBe(code);
      const after = [await readMission(mission.id), await ctx.db.agent.findMany({ where: { id: robotId } })];
      expect(after).toEqual(before);
      expect(await readCommands(scene, action)).toEqual([]);
      expect(await listDecisions()).toMatchObject([{ outcome: "deny", reason, approvalId: null }]);
      expect(await ctx.db.approval.count()).toBe(0);
    },
  );

  it("is done again without being asked about, if it was done before", async () => {
    const scene = await createScene(action);
    await ACTS[action](scene.operator, scene.mission);
    await scene.rule("deny");
    await ACTS[action](scene.operator, scene.mission);
    expect(await readCommands(scene, action)).toHaveLength(1);
  });
});

describe.each(NEVER)("%s", (action) => {
  it("is never asked about", async () => {
    const scene = await createScene(action);
    await scene.rule("deny", { actions: ["*"] });
    await ACTS[action](scene.operator, scene.mission);
    expect(await scene.listDecisions()).toEqual([]);
    expect(await readCommands(scene, action)).toHaveLength(1);
  });
});

describe("mission.skip_step", () => {
  it("is decided by its step, and for an agent by its own policies", async () => {
    const scene = await createScene("mission.skip_step");
    const { rule, agent, mission, operator } = scene;
    await rule("deny", { when: 'args.step_key == "drive"', subjects: [{ type: "agent" }] });
    expect(await getErrorCode(ACTS["mission.skip_step"](agent, mission))).toBe("policy_denied");
    await skipMissionStep(agent, { id: mission.id, stepKey: "lift" });
    await ACTS["mission.skip_step"](operator, mission);
  });
});

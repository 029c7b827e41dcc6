import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import { retryMissionStep } from "../../../src/domain/missions/steer-step.ts";
import { codeOf } from "../../support/callers.ts";
import {
  MISSION_ACTS,
  type MissionScene,
  answerCommands,
  missionIn,
  missionOf,
  passTime,
  robotAt,
  sweepAll,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** The ids of what a robot has been told by commands of a type and not acknowledged, in order. */
async function told(scene: MissionScene, type: string): Promise<string[]> {
  const commands = await nextAgentCommands(robotAt(scene), { limit: 10 });
  return commands.filter((command) => command.type === type).map(({ id }) => id);
}

async function lastReason(scene: MissionScene, id: string): Promise<unknown> {
  const last = await scene.operator.db.event.findFirst({
    where: { subjectId: id },
    orderBy: { seq: "desc" },
  });
  return Reflect.get(Object(last?.data), "reason");
}

describe("a mission whose robot did not do what it was told", () => {
  it("runs on where it rejected the pause, once and for all", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_ACTS.pause(scene, id);
    const [command = ""] = await told(scene, "mission.pause");
    const reject = () => acknowledgeAgentCommand(robotAt(scene), { id: command, outcome: "rejected" });
    await reject();
    const after = await missionOf(scene.operator, id);
    expect(after.status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_rejected");
    await reject();
    expect((await missionOf(scene.operator, id)).generation).toBe(after.generation);
  });

  it("runs on where the pause failed", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_ACTS.pause(scene, id);
    const [command = ""] = await told(scene, "mission.pause");
    await acknowledgeAgentCommand(robotAt(scene), { id: command, outcome: "accepted" });
    expect((await missionOf(scene.operator, id)).status).toBe("paused");
    const error = { code: "stuck", message: "The brake does not answer." };
    await reportAgentCommandResult(robotAt(scene), { id: command, status: "failed", error });
    expect((await missionOf(scene.operator, id)).status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_failed");
  });

  it("runs on where the pause never came to it", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_ACTS.pause(scene, id);
    await scene.operator.db.agentCommand.updateMany({
      where: { missionId: id, type: "mission.pause" },
      data: { expiresAt: scene.operator.now ?? new Date(), nextDeadlineAt: scene.operator.now },
    });
    passTime(scene, 1);
    await sweepAll(scene);
    expect((await missionOf(scene.operator, id)).status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_expired");
  });

  it("stays paused where it rejected the resume", async () => {
    const { scene, id } = await missionIn(quiet, "paused");
    await answerCommands(robotAt(scene));
    await MISSION_ACTS.resume(scene, id);
    await MISSION_ACTS.reject(scene);
    expect((await missionOf(scene.operator, id)).status).toBe("paused");
  });

  it("is as the last command left it, whatever it makes of an earlier one", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    for (const act of ["pause", "resume", "pause"] as const) {
      passTime(scene, 1);
      await MISSION_ACTS[act](scene, id);
    }
    const [first = ""] = await told(scene, "mission.pause");
    await acknowledgeAgentCommand(robotAt(scene), { id: first, outcome: "rejected" });
    expect((await missionOf(scene.operator, id)).status).toBe("paused");
  });
});

describe("retryMissionStep", () => {
  it("refuses a step that waits though nobody has retried it, and says where it and its mission stand", async () => {
    const waiting = await missionIn(quiet, "pending");
    const retry = ({ scene, id }: typeof waiting) =>
      retryMissionStep(scene.operator, { id, stepKey: "lift" });
    await expect(retry(waiting)).rejects.toMatchObject({
      code: "invalid_state",
      details: { currentStatus: "pending", allowed: ["running", "paused"] },
    });
    const running = await missionIn(quiet, "running");
    await expect(retry(running)).rejects.toMatchObject({
      code: "invalid_state",
      details: { currentStatus: "waiting", allowed: ["retriable"] },
    });
  });

  it("answers the same again with the command of its own step", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    const steps = [
      { key: "drive", status: "retriable" as const },
      { key: "lift", status: "retriable" as const },
    ];
    await reportMissionProgress(robotAt(scene), { id, steps });
    const retry = (stepKey: string) => retryMissionStep(scene.operator, { id, stepKey });
    const first = await retry("drive");
    passTime(scene, 1);
    await retry("lift");
    expect((await retry("drive")).command?.id).toBe(first.command?.id);
    expect(await codeOf(retry("drive"))).toBe("");
  });
});

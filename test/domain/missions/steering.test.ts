import { buildStatement } from "../../../src/db/sql.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import { reportMissionProgress } from "../../../src/domain/missions/report-mission-progress.ts";
import { retryMissionStep } from "../../../src/domain/missions/steer-step.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  MISSION_MODEL_ACTS,
  type MissionScene,
  answerCommands,
  missionIn,
  readStoredMission,
  passMissionTime,
  robotAt,
  sweepAll,
} from "../../support/mission-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** The ids of a robot's unacknowledged commands of a type, in order. */
async function readCommandIds(scene: MissionScene, type: string): Promise<string[]> {
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

describe("a mission whose robot did not follow a command", () => {
  it("keeps running if it rejected the pause", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.pause(scene, id);
    const [command = ""] = await readCommandIds(scene, "mission.pause");
    const reject = () => acknowledgeAgentCommand(robotAt(scene), { id: command, outcome: "rejected" });
    await reject();
    const after = await readStoredMission(scene.operator, id);
    expect(after.status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_rejected");
    await reject();
    expect((await readStoredMission(scene.operator, id)).generation).toBe(after.generation);
  });

  it("keeps running if the pause failed", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.pause(scene, id);
    const [command = ""] = await readCommandIds(scene, "mission.pause");
    await acknowledgeAgentCommand(robotAt(scene), { id: command, outcome: "accepted" });
    expect((await readStoredMission(scene.operator, id)).status).toBe("paused");
    const error = { code: "stuck", message: "The brake does not answer." };
    await reportAgentCommandResult(robotAt(scene), { id: command, status: "failed", error });
    expect((await readStoredMission(scene.operator, id)).status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_failed");
  });

  it("keeps running if the pause was never delivered", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.pause(scene, id);
    await scene.operator.db.agentCommand.updateMany({
      where: { missionId: id, type: "mission.pause" },
      data: { expiresAt: scene.operator.now ?? new Date(), nextDeadlineAt: scene.operator.now },
    });
    passMissionTime(scene, 1);
    await sweepAll(scene);
    expect((await readStoredMission(scene.operator, id)).status).toBe("running");
    expect(await lastReason(scene, id)).toBe("pause_expired");
  });

  it("stays paused if it rejected the resume", async () => {
    const { scene, id } = await missionIn(quiet, "paused");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.resume(scene, id);
    await MISSION_MODEL_ACTS.reject(scene);
    expect((await readStoredMission(scene.operator, id)).status).toBe("paused");
  });

  it("keeps running if it rejected the cancellation", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.cancel(scene, id);
    expect((await readStoredMission(scene.operator, id)).cancelRequestedAt).not.toBeNull();
    const [command = ""] = await readCommandIds(scene, "mission.cancel");
    await acknowledgeAgentCommand(robotAt(scene), { id: command, outcome: "rejected" });
    expect(await readStoredMission(scene.operator, id)).toMatchObject({
      status: "running",
      cancelRequestedAt: null,
    });
    expect(await lastReason(scene, id)).toBe("cancel_rejected");
    passMissionTime(scene, 120);
    await sweepAll(scene);
    expect((await readStoredMission(scene.operator, id)).status).toBe("running");
  });

  it("follows the latest command, whatever happens to an earlier one", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    for (const act of ["pause", "resume", "pause"] as const) {
      passMissionTime(scene, 1);
      await MISSION_MODEL_ACTS[act](scene, id);
    }
    const [first = ""] = await readCommandIds(scene, "mission.pause");
    await acknowledgeAgentCommand(robotAt(scene), { id: first, outcome: "rejected" });
    expect((await readStoredMission(scene.operator, id)).status).toBe("paused");
  });
});

/** The latest transactions that wrote a mission, its steps and a command. */
async function readWriters(
  { operator }: MissionScene,
  missionId: string,
  commandId: string,
): Promise<string[]> {
  const rows = await operator.run(
    buildStatement<{ xmin: string }>(
      "",
      `SELECT DISTINCT xmin::text FROM (
      SELECT xmin FROM mission WHERE id = $1::uuid UNION ALL SELECT xmin FROM agent_command WHERE id = $2::uuid) AS w`,
    ),
    [missionId, commandId],
  );
  return rows.map(({ xmin }) => xmin);
}

describe("the result of a command about a mission", () => {
  const FAILED = { status: "failed", error: { code: "stuck", message: "No." } } as const;
  const ENDS: Record<string, (scene: MissionScene, id: string) => Promise<unknown>> = {
    rejected: (scene, id) => acknowledgeAgentCommand(robotAt(scene), { id, outcome: "rejected" }),
    failed: async (scene, id) => {
      await acknowledgeAgentCommand(robotAt(scene), { id, outcome: "accepted" });
      await reportAgentCommandResult(robotAt(scene), { id, ...FAILED });
    },
    expired: async (scene, id) => {
      const due = { expiresAt: scene.operator.now ?? new Date(), nextDeadlineAt: scene.operator.now };
      await scene.operator.db.agentCommand.updateMany({ where: { id }, data: { ...due, status: "queued" } });
      await sweepAgentCommands(scene.operator.services, scene.operator.now);
    },
    canceled: async (scene, id) => {
      await scene.operator.db.agentCommand.updateMany({ where: { id }, data: { status: "queued" } });
      await cancelAgentCommand(scene.operator, { id });
    },
  };

  it.each(Object.keys(ENDS))("is one transaction with its effect on the mission: %s", async (name) => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.pause(scene, id);
    const [command = ""] = await readCommandIds(scene, "mission.pause");
    await ENDS[name]?.(scene, command);
    expect((await readStoredMission(scene.operator, id)).status).toBe("running");
    expect(await readWriters(scene, id, command)).toHaveLength(1);
  });

  it("changes nothing if repeated after the robot itself has paused", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    await MISSION_MODEL_ACTS.pause(scene, id);
    const [command = ""] = await readCommandIds(scene, "mission.pause");
    await ENDS["rejected"]?.(scene, command);
    await MISSION_MODEL_ACTS.robotPauses(scene, id);
    await ENDS["rejected"]?.(scene, command);
    expect((await readStoredMission(scene.operator, id)).status).toBe("paused");
  });

  it("causes no deadlock with concurrent actions of robot and operator", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    await answerCommands(robotAt(scene));
    for (let turn = 0; turn < 10; turn++) {
      passMissionTime(scene, 1);
      await MISSION_MODEL_ACTS.pause(scene, id);
      const [command = ""] = await readCommandIds(scene, "mission.pause");
      const outcomes = await Promise.allSettled([
        ENDS["rejected"]?.(scene, command),
        MISSION_MODEL_ACTS.resume(scene, id),
        cancelAgentCommand(scene.operator, { id: command }),
        sweepAll(scene),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_state" });
      await answerCommands(robotAt(scene));
    }
    expect((await readStoredMission(scene.operator, id)).status).toBe("running");
  });
});

describe("a step whose robot did not follow a command about it", () => {
  const error = { type: "blocked", detail: "A crate." };

  /** A mission whose first step failed. */
  async function stuck(): Promise<{ scene: MissionScene; id: string }> {
    const made = await missionIn(quiet, "running");
    await answerCommands(robotAt(made.scene));
    const steps = [{ key: "drive", status: "retriable" as const, error }];
    await reportMissionProgress(robotAt(made.scene), { id: made.id, steps });
    return made;
  }

  async function readDrive({ operator }: MissionScene, id: string) {
    const { steps, progress } = await readStoredMission(operator, id);
    const [{ status, error: amiss, startedAt, finishedAt } = { status: null }] = steps;
    return { status, error: amiss, hasBegun: Boolean(startedAt), finishedAt, progress };
  }

  it.each(["retry", "skip"] as const)("doesn't change if the %s is rejected", async (act) => {
    const { scene, id } = await stuck();
    const before = await readDrive(scene, id);
    expect(before).toMatchObject({ status: "retriable", error, hasBegun: true, progress: 0 });
    await MISSION_MODEL_ACTS[act](scene, id);
    expect((await readDrive(scene, id)).status).toBe(act === "retry" ? "waiting" : "skipped");
    await MISSION_MODEL_ACTS.reject(scene);
    expect(await readDrive(scene, id)).toEqual(before);
    expect(await lastReason(scene, id)).toBe(`${act}_step_rejected`);
    await MISSION_MODEL_ACTS[act](scene, id);
    expect((await readDrive(scene, id)).status).toBe(act === "retry" ? "waiting" : "skipped");
  });

  it("follows the robot's later reports and the latest command", async () => {
    const { scene, id } = await stuck();
    await MISSION_MODEL_ACTS.retry(scene, id);
    const [retry = ""] = await readCommandIds(scene, "mission.retry_step");
    passMissionTime(scene, 1);
    await MISSION_MODEL_ACTS.skip(scene, id);
    await acknowledgeAgentCommand(robotAt(scene), { id: retry, outcome: "rejected" });
    expect((await readDrive(scene, id)).status).toBe("skipped");

    const other = await stuck();
    await MISSION_MODEL_ACTS.retry(other.scene, other.id);
    const [command = ""] = await readCommandIds(other.scene, "mission.retry_step");
    await acknowledgeAgentCommand(robotAt(other.scene), { id: command, outcome: "accepted" });
    const steps = [{ key: "drive", status: "running" as const }];
    await reportMissionProgress(robotAt(other.scene), { id: other.id, steps });
    const result = { status: "failed" as const, error: { code: "stuck", message: "No." } };
    await reportAgentCommandResult(robotAt(other.scene), { id: command, ...result });
    expect((await readDrive(other.scene, other.id)).status).toBe("running");
  });

  it("stays skipped if that completed its mission", async () => {
    const { scene, id } = await stuck();
    await reportMissionProgress(robotAt(scene), { id, steps: [{ key: "lift", status: "finished" }] });
    await MISSION_MODEL_ACTS.skip(scene, id);
    await MISSION_MODEL_ACTS.reject(scene);
    expect(await readStoredMission(scene.operator, id)).toMatchObject({ status: "completed", progress: 1 });
  });
});

describe("retryMissionStep", () => {
  it("rejects a pending step, with the statuses of step and mission", async () => {
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

  it("returns the same command when repeated", async () => {
    const { scene, id } = await missionIn(quiet, "running");
    const steps = [
      { key: "drive", status: "retriable" as const },
      { key: "lift", status: "retriable" as const },
    ];
    await reportMissionProgress(robotAt(scene), { id, steps });
    const retry = (stepKey: string) => retryMissionStep(scene.operator, { id, stepKey });
    const first = await retry("drive");
    passMissionTime(scene, 1);
    await retry("lift");
    expect((await retry("drive")).command?.id).toBe(first.command?.id);
    expect(await getErrorCode(retry("drive"))).toBe("");
  });
});

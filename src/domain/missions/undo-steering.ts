import { sql } from "../../db/sql.ts";
import type { AgentCommand, Mission, MissionStatus, MissionStep } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { type LockedMission, withMission } from "./lock-mission.ts";
import { type MissionTransition, UNDER_WAY, getStatusAfter } from "./mission-states.ts";
import { type MissionMove, moveMissions } from "./move-missions.ts";
import { getProgress } from "./step-states.ts";
import { writeSteps } from "./write-steps.ts";

/** A command after a transaction, and whether it is now known that its robot won't carry it out. */
export type EndedCommand = { command: AgentCommand; isLeftUndone: boolean };

/** The mission status that each steering command sets, and the transition that undoes it. */
const STATUSES: Record<string, { status: MissionStatus; back: MissionTransition }> = {
  "mission.pause": { status: "paused", back: "resume" },
  "mission.resume": { status: "running", back: "pause" },
};

const STEPS = ["mission.retry_step", "mission.skip_step"];

const CANCEL = "mission.cancel";

const TYPES = [...Object.keys(STATUSES), ...STEPS, CANCEL];

/** SQL condition for whether a command steers a mission, so that it is undone if its robot rejects it. */
export function isSteeringSql(alias: string): string {
  return `${alias}.mission_id IS NOT NULL AND ${alias}.type IN (${TYPES.map((type) => `'${type}'`).join(", ")})`;
}

const STEERED = sql<{ missionId: string }>`
SELECT c.mission_id AS "missionId" FROM agent_command c
WHERE c.workspace_id = $1::uuid AND c.id = $2::uuid AND ${isSteeringSql("c")}`;

/**
 * Runs a transaction that may end a command that its robot has not carried out. If the command steers a
 * mission, locks the mission first and undoes the steering in the same transaction.
 */
export async function endCommandById(
  ctx: Ctx,
  id: string,
  end: (tx: Transaction) => Promise<EndedCommand>,
): Promise<AgentCommand> {
  const missionId = await findSteeredMissionId(ctx, id);
  if (missionId !== null) return endSteering(ctx, missionId, end);
  return ctx.transaction(async (tx) => (await end(tx)).command);
}

/** Returns the mission that a command steers; null if it steers none or does not exist. */
export async function findSteeredMissionId(ctx: Ctx, commandId: string): Promise<string | null> {
  const [steered] = await ctx.read(STEERED, [ctx.workspaceId, commandId]);
  return steered?.missionId ?? null;
}

/**
 * {@link endCommandById} for a command that steers this mission. A mission whose pause or cancellation is
 * rejected runs on, one whose resume is rejected is paused again, and a step returns to its earlier state.
 * Only the last such command counts.
 */
export async function endSteering(
  ctx: Ctx,
  missionId: string,
  end: (tx: Transaction) => Promise<EndedCommand>,
): Promise<AgentCommand> {
  return withMission(ctx, missionId, async (tx, locked) => {
    const { command, isLeftUndone } = await end(tx);
    const isItsRobot = locked.mission.robotId === command.agentId;
    const undo = isLeftUndone && isItsRobot ? findUndo(locked, command) : null;
    if (undo === null || !(await isLast(tx, command))) return command;
    const { move, steps } = undo;
    const eventData = { reason: `${command.type.replace("mission.", "")}_${command.status}` };
    await writeSteps(tx, missionId, steps);
    const moved = await moveMissions(tx, locked.now, [
      { ...move, eventData: { ...eventData, ...move.eventData } },
    ]);
    append(tx, moved.appended);
    return command;
  });
}

type Undo = { move: MissionMove; steps: readonly MissionStep[] };

function findUndo({ mission, steps }: LockedMission, command: AgentCommand): Undo | null {
  if (command.type === CANCEL) return undoCancel(mission);
  const steered = STATUSES[command.type];
  if (steered === undefined) return undoStep({ mission, steps }, getStepKey(command));
  if (mission.status !== steered.status) return null;
  const change = { status: getStatusAfter(mission.status, steered.back), idleReports: 0 };
  return { move: { mission, change, event: "mission.updated" }, steps: [] };
}

/** If a robot rejects a cancellation, its confirmation is not awaited any longer. */
function undoCancel(mission: Mission): Undo | null {
  if (mission.cancelRequestedAt === null || !isUnderWay(mission)) return null;
  return { move: { mission, change: { cancelRequestedAt: null }, event: "mission.updated" }, steps: [] };
}

function isUnderWay({ status }: Mission): boolean {
  const underWay: readonly MissionStatus[] = UNDER_WAY;
  return underWay.includes(status);
}

function undoStep({ mission, steps }: Omit<LockedMission, "now">, stepKey: unknown): Undo | null {
  const step = steps.find(({ key }) => key === stepKey);
  if (step === undefined || step.beforeSteering === null || !isUnderWay(mission)) return null;
  // It was written from such a step.
  const before = step.beforeSteering as Pick<MissionStep, "status" | "error"> & { startedAt: string | null };
  const startedAt = before.startedAt === null ? null : new Date(before.startedAt);
  const restored = { ...step, ...before, startedAt, finishedAt: null, beforeSteering: null };
  const progress = getProgress(steps.map((one) => (one === step ? restored : one)));
  const eventData = { step_key: step.key };
  return {
    move: { mission, change: { progress, idleReports: 0 }, event: "mission.updated", eventData },
    steps: [restored],
  };
}

function getStepKey({ params }: Pick<AgentCommand, "params">): unknown {
  return Reflect.get(Object(params), "step_key");
}

async function isLast({ db }: Transaction, { id, missionId, type, params }: AgentCommand): Promise<boolean> {
  const stepKey = getStepKey({ params });
  const alike = STEPS.includes(type)
    ? { type: { in: STEPS }, params: { path: ["step_key"], equals: String(stepKey) } }
    : { type: type === CANCEL ? CANCEL : { in: Object.keys(STATUSES) } };
  const last = await db.agentCommand.findFirst({
    where: { missionId, ...alike },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  return last?.id === id;
}

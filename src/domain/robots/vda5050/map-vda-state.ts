import type { EmergencyStop, OperatingMode } from "../../../db/generated/client.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { ERROR_LEVELS, type RobotReport, measureErrors } from "../robot-report.ts";
import type { VdaState2, VdaState3 } from "./vda-state.ts";

type Shared = Omit<VdaState3 & VdaState2, "operatingMode" | "safetyState">;
type Position = NonNullable<RobotReport["position"]>;

/** Converts a state message of version 3 to a report. */
export function mapVdaState3(state: VdaState3): RobotReport {
  const { mobileRobotPosition: place, powerSupply, safetyState } = state;
  return {
    ...mapShared(state),
    operatingMode: toOperatingMode(state.operatingMode),
    batteryPercent: toPercent(powerSupply.stateOfCharge),
    charging: powerSupply.charging,
    position: place ? toPosition(place, place.localized) : null,
    emergencyStop: toEmergencyStop(safetyState.activeEmergencyStop),
    fieldViolation: safetyState.fieldViolation,
  };
}

/** Converts a state message of version 2 to a report. */
export function mapVdaState2(state: VdaState2): RobotReport {
  const { agvPosition: place, batteryState, safetyState } = state;
  return {
    ...mapShared(state),
    operatingMode: toOperatingMode(state.operatingMode),
    batteryPercent: toPercent(batteryState.batteryCharge),
    charging: batteryState.charging,
    position: place ? toPosition(place, place.positionInitialized) : null,
    emergencyStop: toEmergencyStop(safetyState.eStop),
    fieldViolation: safetyState.fieldViolation,
  };
}

/**
 * `headerId` counts the messages of a topic from 0 and wraps at 2³² (3.0.0, 7.2): it is the state's
 * sequence, and 0 starts a new one.
 */
function mapShared(state: VdaState2 | VdaState3) {
  const { headerId, driving, velocity, loads, errors, manufacturer, serialNumber } = state;
  return {
    stateSeq: headerId,
    wraps: true,
    restarted: headerId === 0,
    driving,
    paused: state.paused ?? false,
    executing: !isIdle(state),
    velocity: velocity ? { vx: velocity.vx ?? 0, vy: velocity.vy ?? 0, omega: velocity.omega ?? 0 } : null,
    loads: (loads ?? []).slice(0, LIMITS.robotLoads).map(toLoad),
    errors: fitErrors(sortBySeverity(errors).slice(0, LIMITS.robotErrors).map(toRobotError)),
    made: {
      manufacturer: toStorableText(manufacturer, LIMITS.nameLength) || null,
      serialNumber: toStorableText(serialNumber, LIMITS.nameLength) || null,
    },
  };
}

/** @see VDA 5050 3.0.0, 6.6.8 */
function isIdle({
  nodeStates,
  edgeStates,
  actionStates,
}: Pick<Shared, "nodeStates" | "edgeStates" | "actionStates">) {
  const isOver = actionStates.every(({ actionStatus }) => ["FINISHED", "FAILED"].includes(actionStatus));
  return nodeStates.length === 0 && edgeStates.length === 0 && isOver;
}

function toOperatingMode(mode: (VdaState2 | VdaState3)["operatingMode"]): OperatingMode {
  if (mode === "TEACHIN") return "teach_in";
  // The other modes have our names in upper case.
  return mode.toLowerCase() as Lowercase<typeof mode>;
}

/** A stop that ends by itself, such as a bumper's, is the robot's own. @see VDA 5050 2.1.0, 6.10.6 */
function toEmergencyStop(stop: "AUTOACK" | "MANUAL" | "REMOTE" | "NONE"): EmergencyStop {
  if (stop === "AUTOACK") return "manual";
  // The other values have our names in upper case.
  return stop.toLowerCase() as Lowercase<typeof stop>;
}

/** Robots may report slightly more than 100 percent. */
function toPercent(charge: number): number {
  return Math.min(Math.max(charge, 0), 100);
}

function toPosition(
  { x, y, theta, mapId }: { x: number; y: number; theta: number; mapId: string },
  localized: boolean,
): Position {
  return { x, y, theta, map_id: toStorableText(mapId, LIMITS.nameLength) || null, localized };
}

function toLoad({ loadId, loadType, loadPosition, weight }: NonNullable<Shared["loads"]>[number]) {
  return {
    ...(loadId && { load_id: toStorableText(loadId, LIMITS.nameLength) }),
    ...(loadType && { load_type: toStorableText(loadType, LIMITS.nameLength) }),
    ...(loadPosition && { load_position: toStorableText(loadPosition, LIMITS.nameLength) }),
    ...(typeof weight === "number" && { weight }),
  };
}

function sortBySeverity(errors: Shared["errors"]): Shared["errors"] {
  return errors.toSorted((a, b) => getRank(b) - getRank(a));
}

/** Keeps as many errors as may be stored, without references that don't fit. */
function fitErrors(errors: RobotReport["errors"]): RobotReport["errors"] {
  const kept: RobotReport["errors"] = [];
  let left: number = LIMITS.robotErrorsBytes;
  for (const { references, ...rest } of errors) {
    const whole = references === undefined ? rest : { ...rest, references };
    const fitting = [whole, rest].find((error) => measureErrors([error]) <= left);
    if (fitting === undefined) break;
    left -= measureErrors([fitting]);
    kept.push(fitting);
  }
  return kept;
}

function getRank({ errorLevel }: Shared["errors"][number]): number {
  return ERROR_LEVELS.indexOf(toErrorLevel(errorLevel));
}

function toErrorLevel(level: Shared["errors"][number]["errorLevel"]): (typeof ERROR_LEVELS)[number] {
  // Our names in upper case. 3.0.0, 6.6.5.1; version 2.1 has only the first and the last.
  return level.toLowerCase() as Lowercase<typeof level>;
}

function toRobotError(error: Shared["errors"][number]): RobotReport["errors"][number] {
  const { errorDescription: description, errorHint: hint, errorReferences: references } = error;
  return {
    type: toStorableText(error.errorType, LIMITS.nameLength),
    level: toErrorLevel(error.errorLevel),
    ...(description && { description: toStorableText(description, LIMITS.textLength) }),
    ...(hint && { hint: toStorableText(hint, LIMITS.textLength) }),
    ...(references && {
      references: references.slice(0, LIMITS.robotReferences).map(({ referenceKey, referenceValue }) => ({
        key: toStorableText(referenceKey, LIMITS.nameLength),
        value: toStorableText(referenceValue, LIMITS.textLength),
      })),
    }),
  };
}

/** Truncates a text to a column's length and removes what PostgreSQL can't store. */
function toStorableText(text: string, length: number): string {
  return text.replaceAll("\0", "").slice(0, length).toWellFormed();
}

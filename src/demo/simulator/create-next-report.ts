import type { Robot } from "../../db/generated/client.ts";
import type { reportRobotState } from "../../domain/robots/report-robot-state.ts";
import { simulateDrive } from "./drive.ts";

/** A robot's report. */
export type DemoReport = Parameters<typeof reportRobotState>[1];

/** Battery percentages: used and gained per tick, and the levels at which charging starts and ends. */
const BATTERY = { drive: 0.08, stand: 0.01, charge: 0.5, low: 22, full: 96 } as const;

/** A robot's role in the demo, and its index in the roster. */
export type RobotScenario = Pick<Partial<Robot>, "driving" | "charging" | "paused"> & { place: number };

/** The input of a robot's report: its role, whether it may work, and the time. */
type RobotTick = { scenario: RobotScenario; isActive: boolean; at: Date };

/**
 * Creates a robot's next report from its last one. A robot whose scenario is to drive or charge drives
 * until its battery is low, then charges until it is full. A paused or faulty robot stands still.
 */
export function createNextReport(robot: Robot, { scenario, isActive, at }: RobotTick): DemoReport {
  const paused = scenario.paused === true || !isActive;
  const isFree = !paused && !hasFault(robot.errors);
  const battery = robot.batteryPercent ?? BATTERY.full;
  const charging = isFree && battery < (robot.charging ? BATTERY.full : BATTERY.low);
  const isBusy = scenario.driving === true || scenario.charging === true || robot.currentMissionId !== null;
  const driving = isFree && !charging && isBusy;
  const drive = simulateDrive(scenario.place, at);
  return {
    // JSON that was validated when it was reported, or that is from the demo's roster.
    ...(pickUnchanged(robot) as Pick<DemoReport, "position" | "errors" | "loads">),
    ...(driving && { position: { ...drive, map_id: "hall-a-r12", localized: true } }),
    stateSeq: at.getTime(),
    operatingMode: robot.operatingMode,
    charging,
    driving,
    paused,
    executing: driving,
    batteryPercent: percent(battery + getBatteryChange({ charging, driving })),
    velocity: { vx: driving ? drive.vx : 0, vy: 0, omega: 0 },
  };
}

function getBatteryChange({ charging, driving }: { charging: boolean; driving: boolean }): number {
  if (charging) return BATTERY.charge;
  return driving ? -BATTERY.drive : -BATTERY.stand;
}

function pickUnchanged({ position, errors, loads }: Robot) {
  return { position, errors, loads };
}

function hasFault(errors: unknown): boolean {
  return Array.isArray(errors) && errors.some(({ level }) => level === "critical" || level === "fatal");
}

function percent(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 100) * 100) / 100;
}

import type { Robot } from "../../db/generated/client.ts";
import { STATIONS, type StationName } from "./stations.ts";

/** The map of all robots. */
export const DEMO_MAP = "hall-a-r12";

/** A robot of the demo, at the end of the month. */
export type DemoRobot = {
  handle: string;
  name: string;
  model: "Hauler 250" | "Lifter 600" | "Scout S2";
  serialNumber: string;
  station: StationName;
  batteryPercent: number;
  /** Differences from an idle robot without problems. */
  state: Partial<
    Pick<
      Robot,
      "status" | "operatingMode" | "charging" | "driving" | "paused" | "emergencyStop" | "errors" | "loads"
    >
  >;
  /** Seconds from its last report to the end of the month. */
  silentSeconds: number;
};

const driving = { status: "executing", driving: true } as const;

export const ROBOTS: readonly DemoRobot[] = [
  {
    handle: "amr-01",
    name: "Hauler 01",
    model: "Hauler 250",
    serialNumber: "CR-H250-0117",
    station: "aisle-b14",
    batteryPercent: 78.5,
    silentSeconds: 1,
    state: { ...driving, loads: [{ load_id: "T-48213", load_type: "tote", weight: 11.4 }] },
  },
  {
    handle: "amr-02",
    name: "Hauler 02",
    model: "Hauler 250",
    serialNumber: "CR-H250-0118",
    station: "packing-3",
    batteryPercent: 54.2,
    silentSeconds: 2,
    state: { ...driving, loads: [{ load_id: "T-48187", load_type: "tote", weight: 8.9 }] },
  },
  {
    handle: "amr-03",
    name: "Hauler 03",
    model: "Hauler 250",
    serialNumber: "CR-H250-0121",
    station: "charger-1",
    batteryPercent: 31.8,
    silentSeconds: 3,
    state: { status: "charging", charging: true },
  },
  {
    handle: "amr-04",
    name: "Hauler 04",
    model: "Hauler 250",
    serialNumber: "CR-H250-0124",
    station: "receiving-1",
    batteryPercent: 92.1,
    silentSeconds: 2,
    state: {},
  },
  {
    handle: "amr-05",
    name: "Hauler 05",
    model: "Hauler 250",
    serialNumber: "CR-H250-0130",
    station: "aisle-c02",
    batteryPercent: 63.4,
    silentSeconds: 4,
    state: {
      status: "error",
      loads: [{ load_id: "T-48160", load_type: "tote", weight: 12.2 }],
      errors: [
        {
          type: "localization.lost",
          level: "fatal",
          description: "The laser scan does not match the map of aisle C.",
          hint: "Clear the pallet that stands in front of C02, then localize by hand.",
        },
      ],
    },
  },
  {
    handle: "amr-06",
    name: "Lifter 01",
    model: "Lifter 600",
    serialNumber: "CR-L600-0042",
    station: "receiving-2",
    batteryPercent: 69.9,
    silentSeconds: 1,
    state: { ...driving, loads: [{ load_id: "P-1907", load_type: "pallet", weight: 412.5 }] },
  },
  {
    handle: "amr-07",
    name: "Lifter 02",
    model: "Lifter 600",
    serialNumber: "CR-L600-0043",
    station: "staging-a",
    batteryPercent: 47.3,
    silentSeconds: 2,
    state: {
      status: "paused",
      paused: true,
      loads: [{ load_id: "P-1911", load_type: "pallet", weight: 388 }],
      errors: [
        {
          type: "obstacle.path_blocked",
          level: "warning",
          description: "A person stands in the lane since 40 s.",
          hint: "It goes on by itself when the lane is free.",
        },
      ],
    },
  },
  {
    handle: "amr-08",
    name: "Lifter 03",
    model: "Lifter 600",
    serialNumber: "CR-L600-0047",
    station: "workshop",
    batteryPercent: 88,
    silentSeconds: 7_260,
    state: {
      status: "offline",
      operatingMode: "service",
      errors: [
        {
          type: "lift.hydraulic_pressure_low",
          level: "critical",
          description: "The lift holds 84 bar of 120.",
          hint: "Exchange seal kit LK-6 before it carries loads again.",
        },
      ],
    },
  },
  {
    handle: "scout-01",
    name: "Scout 01",
    model: "Scout S2",
    serialNumber: "CR-S2-0309",
    station: "gate-east",
    batteryPercent: 82.7,
    silentSeconds: 1,
    state: driving,
  },
  {
    handle: "scout-02",
    name: "Scout 02",
    model: "Scout S2",
    serialNumber: "CR-S2-0311",
    station: "charger-4",
    batteryPercent: 97.6,
    silentSeconds: 3,
    state: { status: "charging", charging: true },
  },
];

/** Builds the report columns of a robot's row. */
export function toReportColumns(robot: DemoRobot, end: Date) {
  const { state } = robot;
  const { x, y, theta } = STATIONS[robot.station];
  const stateAt = new Date(end.getTime() - robot.silentSeconds * 1000);
  return {
    manufacturer: "Carrow Robotics",
    model: robot.model,
    serialNumber: robot.serialNumber,
    fleet: robot.model === "Scout S2" ? "patrol" : "hall-a",
    operatingMode: state.operatingMode ?? ("automatic" as const),
    status: state.status ?? ("idle" as const),
    batteryPercent: robot.batteryPercent,
    charging: state.charging ?? false,
    position: { x, y, theta, map_id: DEMO_MAP, localized: state.status !== "error" },
    velocity: { vx: state.driving === true ? 1.2 : 0, vy: 0, omega: state.driving === true ? 0.05 : 0 },
    driving: state.driving ?? false,
    paused: state.paused ?? false,
    emergencyStop: state.emergencyStop ?? ("none" as const),
    // The JSON of the roster above.
    errors: (state.errors ?? []) as object[],
    loads: (state.loads ?? []) as object[],
    acceptsMissions: state.status !== "offline",
    stateSeq: BigInt(Math.floor(stateAt.getTime() / 1000)),
    stateAt,
  };
}

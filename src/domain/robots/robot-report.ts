import { z } from "zod";
import { EmergencyStop, OperatingMode } from "../../db/generated/enums.ts";
import { jsonObject, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The severity of a robot's error. @see VDA 5050 3.0.0, 6.6.5.1. */
export const ERROR_LEVELS = ["warning", "urgent", "critical", "fatal"] as const;

const flag = z.boolean("must be true or false").default(false);
const number = z.number("must be a number");

const reference = z.object({ key: text(LIMITS.nameLength), value: text(LIMITS.textLength, 0) });

const error = z.object({
  type: text(LIMITS.nameLength),
  level: z.enum(ERROR_LEVELS),
  description: text(LIMITS.textLength, 0).nullish(),
  hint: text(LIMITS.textLength, 0).nullish(),
  references: z
    .array(reference)
    .max(LIMITS.robotReferences, formatMaxEntries(LIMITS.robotReferences))
    .optional(),
});

/** A robot's position, with the API's field names, because it is stored unchanged. */
const position = z.object({
  x: number,
  y: number,
  theta: number.nullish(),
  map_id: text(LIMITS.nameLength).nullish(),
  localized: z.boolean("must be true or false").default(true),
});

const velocity = z.object({ vx: number.default(0), vy: number.default(0), omega: number.default(0) });

/** A robot's report of its whole state. Fields that are left out are unknown, false or empty. */
export const robotReport = z.object({
  stateSeq: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  /** Whether the robot restarts its sequence. */
  restarted: flag,
  operatingMode: z.enum(OperatingMode),
  batteryPercent: z.number().min(LIMITS.percent.min).max(LIMITS.percent.max).nullish(),
  charging: flag,
  driving: flag,
  paused: flag,
  /** Whether it is carrying out an order, even while it stands still. */
  executing: flag,
  emergencyStop: z.enum(EmergencyStop).default("none"),
  fieldViolation: flag,
  position: position.nullish(),
  velocity: velocity.nullish(),
  errors: z
    .array(error)
    .max(LIMITS.robotErrors, formatMaxEntries(LIMITS.robotErrors))
    .refine(
      (errors) => measureErrors(errors) <= LIMITS.robotErrorsBytes,
      `must have at most ${LIMITS.robotErrorsBytes} bytes as JSON`,
    )
    .default([]),
  loads: z
    .array(jsonObject(LIMITS.robotLoadBytes))
    .max(LIMITS.robotLoads, formatMaxEntries(LIMITS.robotLoads))
    .default([]),
});

/** A parsed report, with values that only some formats have. */
export type RobotReport = z.output<typeof robotReport> & {
  /** Whether its sequence wraps after 2³² - 1. */
  wraps?: boolean;
  /** The manufacturer and serial number, for a robot without them. */
  made?: { manufacturer: string | null; serialNumber: string | null };
};

/** Returns the size of errors as JSON, in bytes. */
export function measureErrors(errors: readonly unknown[]): number {
  return Buffer.byteLength(JSON.stringify(errors));
}

function formatMaxEntries(count: number): string {
  return `must have at most ${count} entries`;
}

import { z } from "zod";
import { LIMITS } from "../../kernel/limits.ts";

const flag = z.boolean("must be true or false");
const number = z.number("must be a number");
const text = z.string("must be a string");

function list<Entry extends z.ZodType>(entry: Entry) {
  const { vdaEntries: most } = LIMITS;
  return z.array(entry, "must be a list").max(most, `must have at most ${most} entries`);
}

const reference = z.object({ referenceKey: text, referenceValue: text });

const error = z.object({
  errorType: text.min(1, "must not be empty"),
  errorLevel: z.enum(["WARNING", "URGENT", "CRITICAL", "FATAL"]),
  errorDescription: text.nullish(),
  errorHint: text.nullish(),
  errorReferences: list(reference).nullish(),
});

const load = z.object({
  loadId: text.nullish(),
  loadType: text.nullish(),
  loadPosition: text.nullish(),
  weight: number.nullish(),
});

const action = z.object({ actionStatus: text });

const place = z.object({ x: number, y: number, theta: number, mapId: text });

/** The fields that both versions share. */
const shared = z.object({
  headerId: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(4_294_967_295, "must be a uint32"),
  version: text,
  manufacturer: text,
  serialNumber: text,
  nodeStates: list(z.unknown()),
  edgeStates: list(z.unknown()),
  actionStates: list(action),
  driving: flag,
  paused: flag.nullish(),
  velocity: z.object({ vx: number.nullish(), vy: number.nullish(), omega: number.nullish() }).nullish(),
  loads: list(load).nullish(),
  errors: list(error),
});

/**
 * The fields of a VDA 5050 version 3 state message that are read. Others are not validated.
 *
 * @see VDA 5050 3.0.0, 7.8, and its state.schema
 */
export const vdaState3 = shared.extend({
  operatingMode: z.enum([
    "STARTUP",
    "AUTOMATIC",
    "SEMIAUTOMATIC",
    "INTERVENED",
    "MANUAL",
    "SERVICE",
    "TEACH_IN",
  ]),
  powerSupply: z.object({ stateOfCharge: number, charging: flag }, "must be an object"),
  mobileRobotPosition: place.extend({ localized: flag }).nullish(),
  safetyState: z.object(
    {
      activeEmergencyStop: z.enum(["MANUAL", "REMOTE", "NONE"]),
      fieldViolation: flag,
    },
    "must be an object",
  ),
});

/**
 * The same for version 2, in which four fields have other names.
 *
 * @see VDA 5050 2.1.0, 6.10.6, and its state.schema
 */
export const vdaState2 = shared.extend({
  operatingMode: z.enum(["AUTOMATIC", "SEMIAUTOMATIC", "MANUAL", "SERVICE", "TEACHIN"]),
  batteryState: z.object({ batteryCharge: number, charging: flag }, "must be an object"),
  agvPosition: place.extend({ positionInitialized: flag }).nullish(),
  safetyState: z.object(
    {
      eStop: z.enum(["AUTOACK", "MANUAL", "REMOTE", "NONE"]),
      fieldViolation: flag,
    },
    "must be an object",
  ),
});

export type VdaState3 = z.output<typeof vdaState3>;

export type VdaState2 = z.output<typeof vdaState2>;

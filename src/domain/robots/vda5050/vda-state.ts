import { z } from "zod";
import { LIMITS } from "../../kernel/limits.ts";

const flag = z.boolean("must be true or false");
const number = z.number("must be a number");
const text = z.string("must be text");

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

/** What both versions have, of what is read. */
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
 * The state message of VDA 5050 version 3, as far as it is read: what is not read may be anything.
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
 * The same of version 2, where four members have other names.
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

/** A state message of version 3. */
export type VdaState3 = z.output<typeof vdaState3>;

/** A state message of version 2. */
export type VdaState2 = z.output<typeof vdaState2>;

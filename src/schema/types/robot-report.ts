import { reportRobotState } from "../../domain/robots/report-robot-state.ts";
import { updateRobot } from "../../domain/robots/update-robot.ts";
import { reportVdaState } from "../../domain/robots/vda5050/report-vda-state.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { ControlStateEnum } from "./agent.ts";
import { EmergencyStopEnum, OperatingModeEnum, Robot } from "./robot.ts";

const ANSWER = {
  applied: "False for a report that is not newer than what is known: it is ignored.",
  controlState: "What operators let it do; STOPPED for all under an emergency stop. Not a safety function.",
};

builder.relayMutationField(
  "reportRobotState",
  {
    inputFields: (t) => ({
      stateSeq: t.float({
        required: true,
        description:
          "A whole number that grows with every report. Where none has counted for 45 s, the next does.",
      }),
      restarted: t.boolean({ description: "Whether it counts its reports from anew, from this one on." }),
      operatingMode: t.field({ type: OperatingModeEnum, required: true }),
      batteryPercent: t.float({ description: "0 to 100." }),
      charging: t.boolean(),
      driving: t.boolean(),
      paused: t.boolean(),
      executing: t.boolean({
        description: "Whether it carries out an errand, also where it stands still for it.",
      }),
      emergencyStop: t.field({ type: EmergencyStopEnum, description: "NONE where it is left out." }),
      fieldViolation: t.boolean({ description: "Whether something is in its protective field." }),
      position: t.field({ type: "JSON", description: "`x`, `y` (m), `theta` (rad), `map_id`, `localized`." }),
      velocity: t.field({ type: "JSON", description: "`vx`, `vy` (m/s), `omega` (rad/s)." }),
      errors: t.field({
        type: "JSON",
        description:
          "At most 64, each with `type`, `level` (warning, urgent, critical, fatal) and optionally `description`, `hint`, `references`.",
      }),
      loads: t.field({ type: "JSON", description: "At most 32 objects of at most 4 KiB." }),
    }),
  },
  {
    description:
      "Reports the calling robot's whole state: what is left out is unknown, false or none. Changes of status, mode, errors and stops are told at once, telemetry once a second.",
    resolve: (_root, { input }, ctx) => {
      const { clientMutationId: _id, stateSeq, operatingMode, ...rest } = input;
      // What is not of its shape is refused by the verb.
      const told = omitNulls(rest) as Partial<Parameters<typeof reportRobotState>[1]>;
      return reportRobotState(ctx, { ...told, stateSeq, operatingMode });
    },
  },
  {
    outputFields: (t) => ({
      applied: t.exposeBoolean("applied", { description: ANSWER.applied }),
      controlState: t.expose("controlState", { type: ControlStateEnum, description: ANSWER.controlState }),
    }),
  },
);

builder.relayMutationField(
  "reportVdaState",
  {
    inputFields: (t) => ({
      state: t.field({
        type: "JSON",
        required: true,
        description: "The state message of VDA 5050, version 3 or 2, as the robot publishes it.",
      }),
    }),
  },
  {
    description: "Reports the calling robot's state as VDA 5050 has it. What has no place here is ignored.",
    resolve: (_root, { input }, ctx) => reportVdaState(ctx, input.state),
  },
  {
    outputFields: (t) => ({
      applied: t.exposeBoolean("applied", { description: ANSWER.applied }),
      controlState: t.expose("controlState", { type: ControlStateEnum, description: ANSWER.controlState }),
    }),
  },
);

const NAME = "1 to 100 characters; null for none.";

builder.relayMutationField(
  "updateRobot",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      acceptsMissions: t.boolean({ description: "Whether missions are assigned to it." }),
      fleet: t.string({ description: NAME }),
      manufacturer: t.string({ description: NAME }),
      model: t.string({ description: NAME }),
      serialNumber: t.string({ description: NAME }),
    }),
  },
  {
    description: "Changes what people know of a robot: what is given, and the rest stays. For operators.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, acceptsMissions, ...names } = input;
      const change = { ...names, ...omitNulls({ acceptsMissions }), id: fromGlobalId("id", "Robot", id) };
      return { robot: await updateRobot(ctx, change) };
    },
  },
  { outputFields: (t) => ({ robot: t.field({ type: Robot, resolve: ({ robot }) => robot }) }) },
);

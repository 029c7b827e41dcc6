import { reportRobotState } from "../../domain/robots/report-robot-state.ts";
import { updateRobot } from "../../domain/robots/update-robot.ts";
import { reportVdaState } from "../../domain/robots/vda5050/report-vda-state.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { ControlStateEnum } from "./agent.ts";
import { EmergencyStopEnum, OperatingModeEnum, Robot } from "./robot.ts";

const ANSWER = {
  applied: "False if a newer report is already known. This report is then ignored.",
  controlState: "What the robot may do. STOPPED during an emergency stop. Not a safety function.",
};

builder.relayMutationField(
  "reportRobotState",
  {
    inputFields: (t) => ({
      stateSeq: t.float({
        required: true,
        description:
          "A whole number that grows with every report. After 45 s without an accepted report, any number " +
          "is accepted.",
      }),
      restarted: t.boolean({ description: "Whether the robot restarts its numbering with this report." }),
      operatingMode: t.field({ type: OperatingModeEnum, required: true }),
      batteryPercent: t.float({ description: "0 to 100." }),
      charging: t.boolean(),
      driving: t.boolean(),
      paused: t.boolean(),
      executing: t.boolean({
        description: "Whether the robot is carrying out an order, even while it stands still.",
      }),
      emergencyStop: t.field({ type: EmergencyStopEnum, description: "Default NONE." }),
      fieldViolation: t.boolean({ description: "Whether something is in the robot's protective field." }),
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
      "Reports the calling robot's full state. Fields that are left out are unknown, false or empty. " +
      "Changes of status, mode, errors and stops are published immediately, telemetry once a second.",
    resolve: (_root, { input }, ctx) => {
      const { clientMutationId: _id, stateSeq, operatingMode, ...rest } = input;
      // reportRobotState() validates the shape.
      const fields = omitNulls(rest) as Partial<Parameters<typeof reportRobotState>[1]>;
      return reportRobotState(ctx, { ...fields, stateSeq, operatingMode });
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
        description: "A state message of VDA 5050, version 2 or 3, as the robot publishes it.",
      }),
    }),
  },
  {
    description:
      "Reports the calling robot's state in VDA 5050's format. Fields without an equivalent are ignored.",
    resolve: (_root, { input }, ctx) => reportVdaState(ctx, input.state),
  },
  {
    outputFields: (t) => ({
      applied: t.exposeBoolean("applied", { description: ANSWER.applied }),
      controlState: t.expose("controlState", { type: ControlStateEnum, description: ANSWER.controlState }),
    }),
  },
);

const NAME = "1 to 100 characters. Null removes the value.";

builder.relayMutationField(
  "updateRobot",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      acceptsMissions: t.boolean({ description: "Whether missions may be assigned to it." }),
      fleet: t.string({ description: NAME }),
      manufacturer: t.string({ description: NAME }),
      model: t.string({ description: NAME }),
      serialNumber: t.string({ description: NAME }),
    }),
  },
  {
    description:
      "Updates a robot's settings and description. Fields that are left out don't change. For operators.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, acceptsMissions, ...names } = input;
      const change = { ...names, ...omitNulls({ acceptsMissions }), id: fromGlobalId("id", "Robot", id) };
      return { robot: await updateRobot(ctx, change) };
    },
  },
  { outputFields: (t) => ({ robot: t.field({ type: Robot, resolve: ({ robot }) => robot }) }) },
);

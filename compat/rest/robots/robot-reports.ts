import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { controlState } from "../agents/agent-shape.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { jsonResponse, bearer, problems } from "../shared/responses.ts";
import { robotEmergencyStop, operatingMode } from "./robot-shape.ts";
import { createRoute } from "../shared/route.ts";
import {
  createBody,
  omitUndefined,
  toWireEnum,
  numberWithin,
  text,
  toGraphqlEnum,
  wholeNumber,
} from "../shared/shapes.ts";

const longText = text(LIMITS.textLength, 0);
const name = text(LIMITS.nameLength);

const error = z.strictObject({
  type: name,
  level: z.enum(["warning", "urgent", "critical", "fatal"]),
  description: longText.nullish(),
  hint: longText.nullish(),
  references: z
    .array(z.strictObject({ key: name, value: longText }))
    .max(LIMITS.robotReferences)
    .optional(),
});

const state = z
  .strictObject({
    state_seq: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).openapi({
      description:
        "Must grow with every report. After 45 seconds without an accepted report, any number is accepted.",
    }),
    restarted: z.boolean().optional().openapi({
      description: "Set it if `state_seq` starts over with this report.",
    }),
    operating_mode: operatingMode,
    battery_percent: numberWithin(LIMITS.percent).nullish(),
    charging: z.boolean().optional(),
    driving: z.boolean().optional(),
    paused: z.boolean().optional(),
    executing: z.boolean().optional().openapi({
      description: "Whether the robot is executing an order, even if it stands still.",
    }),
    emergency_stop: robotEmergencyStop.optional(),
    field_violation: z.boolean().optional(),
    position: z
      .strictObject({
        x: z.number(),
        y: z.number(),
        theta: z.number().nullish(),
        map_id: name.nullish(),
        localized: z.boolean().optional(),
      })
      .nullish()
      .openapi({ description: "Metres and radians." }),
    velocity: z
      .strictObject({ vx: z.number().optional(), vy: z.number().optional(), omega: z.number().optional() })
      .nullish()
      .openapi({ description: "Metres and radians per second, in the robot's own frame." }),
    errors: z.array(error).max(LIMITS.robotErrors).optional(),
    loads: z
      .array(z.record(z.string(), z.unknown()))
      .max(LIMITS.robotLoads)
      .optional()
      .openapi({ description: `Objects of at most ${LIMITS.robotLoadBytes} bytes.` }),
  })
  .openapi("RobotState", {
    description: "The robot's whole state. Missing fields count as unknown, false or empty.",
  });

const vdaState = z.looseObject({}).openapi("VdaState", {
  description: "A VDA 5050 state message, version 2 or 3, as the robot publishes it.",
});

const reportResponse = jsonResponse(
  "Whether the report was applied, and the robot's control state",
  z.strictObject({
    applied: z.boolean().openapi({
      description: "False if the report was ignored, as it is not newer than the known state.",
    }),
    control_state: controlState,
  }),
);

const NOT_SAFE =
  "`control_state` is what operators allow the robot to do. `stopped` is not a safety-rated stop: the robot's own emergency stop must keep people safe.";

const routes = {
  report: createRoute({
    method: "put",
    path: "/robots/self/state",
    tags: ["Robots"],
    summary: "Report the robot's state",
    description: `Send a report on every change, at least every 30 seconds and at most about ten times per second. Changes of status, mode, errors and stops are published at once, telemetry once per second. ${NOT_SAFE}`,
    security: bearer("robots:report"),
    request: createBody(state),
    responses: { 200: reportResponse, ...problems(400, 401, 403, "not_a_robot", 413, 415, 422) },
  }),
  vda: createRoute({
    method: "post",
    path: "/robots/self/vda5050/state",
    tags: ["Robots"],
    summary: "Report the robot's state as VDA 5050",
    description: `\`headerId\` is the sequence number. It may wrap, and 0 starts over. Errors name the JSONPath of missing fields. ${NOT_SAFE}`,
    security: bearer("robots:report"),
    request: createBody(vdaState),
    responses: { 200: reportResponse, ...problems(400, 401, 403, "not_a_robot", 413, 415, 422) },
  }),
};

const ReportRobotState = graphql(`
  mutation ReportRobotState($input: ReportRobotStateInput!) {
    reportRobotState(input: $input) {
      applied
      control_state: controlState
    }
  }
`);

const ReportVdaState = graphql(`
  mutation ReportVdaState($state: JSON!) {
    reportVdaState(input: { state: $state }) {
      applied
      control_state: controlState
    }
  }
`);

/** The routes for robots to report their state. */
export function robotReportRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "robots:report" });
  app.openapi({ ...routes.report, middleware }, async (c) => {
    const input = toInput(c.req.valid("json"));
    const { reportRobotState: outcome } = await execute(getCtx(c), ReportRobotState, { input });
    return c.json({ ...outcome, control_state: toWireEnum(outcome.control_state) }, 200);
  });
  app.openapi({ ...routes.vda, middleware }, async (c) => {
    const { reportVdaState: outcome } = await execute(getCtx(c), ReportVdaState, {
      state: c.req.valid("json"),
    });
    return c.json({ ...outcome, control_state: toWireEnum(outcome.control_state) }, 200);
  });
  return app;
}

function toInput(body: z.output<typeof state>) {
  const { state_seq, operating_mode, battery_percent, emergency_stop, field_violation, ...same } = body;
  return {
    ...omitUndefined({
      ...same,
      batteryPercent: battery_percent,
      emergencyStop: emergency_stop === undefined ? undefined : toGraphqlEnum(emergency_stop),
      fieldViolation: field_violation,
    }),
    stateSeq: state_seq,
    operatingMode: toGraphqlEnum(operating_mode),
  };
}

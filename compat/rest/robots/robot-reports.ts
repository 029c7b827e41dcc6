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
      description: "Grows with every report. Where none has counted for 45 s, whatever comes next does.",
    }),
    restarted: z.boolean().optional().openapi({
      description: "Whether the robot counts its reports from anew, from this one on.",
    }),
    operating_mode: operatingMode,
    battery_percent: numberWithin(LIMITS.percent).nullish(),
    charging: z.boolean().optional(),
    driving: z.boolean().optional(),
    paused: z.boolean().optional(),
    executing: z.boolean().optional().openapi({
      description: "Whether it carries out an errand, also where it stands still for it.",
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
      .openapi({ description: "Metres and radians a second, as the robot sees it." }),
    errors: z.array(error).max(LIMITS.robotErrors).optional(),
    loads: z
      .array(z.record(z.string(), z.unknown()))
      .max(LIMITS.robotLoads)
      .optional()
      .openapi({ description: `Objects of at most ${LIMITS.robotLoadBytes} bytes.` }),
  })
  .openapi("RobotState", {
    description: "A robot's whole state: what is left out is unknown, false or none.",
  });

const vdaState = z.looseObject({}).openapi("VdaState", {
  description: "The state message of VDA 5050, version 3 or 2, as the robot publishes it.",
});

const reportResponse = jsonResponse(
  "What came of it, and what you may do",
  z.strictObject({
    applied: z.boolean().openapi({
      description: "False for a report that is not newer than what is known: it is ignored.",
    }),
    control_state: controlState,
  }),
);

const NOT_SAFE =
  "`control_state` tells what operators let the robot do: `stopped` is no safety-rated stop. An emergency stop that keeps people safe is the robot's own.";

const routes = {
  report: createRoute({
    method: "put",
    path: "/robots/self/state",
    tags: ["Robots"],
    summary: "Report your state as a robot",
    description: `Send it on every change, and at least every 30 s; ten times a second is fine. Changes of status, mode, errors and stops are told to everybody at once, telemetry once a second. ${NOT_SAFE}`,
    security: bearer("robots:report"),
    request: createBody(state),
    responses: { 200: reportResponse, ...problems(400, 401, 403, "not_a_robot", 413, 415, 422) },
  }),
  vda: createRoute({
    method: "post",
    path: "/robots/self/vda5050/state",
    tags: ["Robots"],
    summary: "Report your state as VDA 5050 has it",
    description: `\`headerId\` is the sequence: it may wrap, and 0 begins a new one. A problem names the JSONPath of what is missing. ${NOT_SAFE}`,
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

/** The routes by which robots report their state. */
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

import { createRoute, z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { answerHashed } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded } from "./face.ts";
import { answer, bearerOrSession, notModified, problems } from "./responses.ts";
import { anyJson, dateTime, lower, uuid } from "./shapes.ts";

const MODES = ["automatic", "semiautomatic", "intervened", "manual", "startup", "service", "teach_in"];

const robot = z
  .strictObject({
    id: uuid.openapi({ description: "The id of the agent that the robot is." }),
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    serial_number: z.string().nullable(),
    fleet: z.string().nullable(),
    operating_mode: z.enum(MODES),
    status: z.enum(["offline", "error", "charging", "paused", "executing", "idle"]),
    battery_percent: z.number().nullable(),
    charging: z.boolean(),
    position: anyJson,
    velocity: anyJson,
    driving: z.boolean(),
    paused: z.boolean(),
    emergency_stop: z.enum(["none", "manual", "remote"]),
    field_violation: z.boolean(),
    errors: anyJson,
    loads: anyJson,
    accepts_missions: z.boolean(),
    current_mission_id: uuid.nullable(),
    state_seq: z.int(),
    state_at: dateTime.nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Robot");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/robots",
    tags: ["Robots"],
    summary: "List all robots, newest first",
    security: bearerOrSession("robots:read"),
    responses: {
      200: answer("Every robot", z.strictObject({ robots: z.array(robot) })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
};

const RobotFields = graphql(`
  fragment RobotFields on Robot {
    id: uuid
    manufacturer
    model
    serial_number: serialNumber
    fleet
    operating_mode: operatingMode
    status
    battery_percent: batteryPercent
    charging
    position
    velocity
    driving
    paused
    emergency_stop: emergencyStop
    field_violation: fieldViolation
    errors
    loads
    accepts_missions: acceptsMissions
    current_mission_id: currentMissionUuid
    state_seq: stateSeq
    state_at: stateAt
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

const ListRobots = graphql(
  `
    query ListRobots {
      robots(all: true) {
        nodes {
          ...RobotFields
        }
      }
    }
  `,
  [RobotFields],
);

/** The routes of /api/v1/operator/robots. */
export function robotRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi(
    { ...routes.list, middleware: guarded(services, { scope: "robots:read", session: true }) },
    async (c) => {
      const { robots } = await execute(ctxOf(c), ListRobots, {});
      return answerHashed(c, { robots: robots.nodes.map(robotJson) });
    },
  );
  return app;
}

function robotJson(row: ResultOf<typeof RobotFields>) {
  return {
    ...row,
    operating_mode: lower(row.operating_mode),
    status: lower(row.status),
    emergency_stop: lower(row.emergency_stop),
  };
}

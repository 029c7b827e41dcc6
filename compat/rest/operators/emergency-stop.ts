import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { jsonResponse, bearerOrSession, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, dateTime, labels, reason, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { StopFields, stop, stopJson } from "./stop-shape.ts";

const reasonBody = z.strictObject({ reason }).openapi("Because");

const stopBody = z
  .strictObject({
    reason,
    scope: z
      .strictObject({
        kind: z.enum(["software", "robot"]).nullable().optional(),
        labels: labels.nullable().optional(),
      })
      .nullable()
      .optional()
      .openapi({
        description:
          "The agents to stop: those of a kind, with all of some labels. Default: all of the workspace.",
      }),
  })
  .openapi("EmergencyStop");

const workspace = z
  .strictObject({
    id: uuid,
    name: z.string(),
    emergency_stop_at: dateTime.nullable(),
    emergency_stop_reason: z.string().nullable(),
    generation: z.int(),
  })
  .openapi("Workspace");

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];

const routes = {
  read: createRoute({
    method: "get",
    path: "/operator/emergency_stop",
    tags: ["Operators"],
    summary: "Read who has confirmed the stop of all agents",
    description:
      "The oldest that stands; null if there is none. Stops of some agents are in `/operator/stops`.",
    security: bearerOrSession("agents:read"),
    responses: {
      200: jsonResponse("The emergency stop", z.strictObject({ stop: stop.nullable() })),
      ...problems(400, 401, 403),
    },
  }),
  stop: createRoute({
    method: "post",
    path: "/operator/emergency_stop",
    tags: ["Operators"],
    summary: "Stop agents",
    description:
      "Takes effect at once: the agents get no work, whatever they ask is denied, and `stop` shows which have confirmed. Repeating it changes nothing. This is not a safety function of a robot. Requires the role operator.",
    security,
    request: createBody(stopBody),
    responses: {
      200: jsonResponse("The workspace and the stop", z.strictObject({ workspace, stop })),
      ...problems(400, 401, 403, "invalid_state", 413, 415, 422),
    },
  }),
  release: createRoute({
    method: "post",
    path: "/operator/emergency_stop/release",
    tags: ["Operators"],
    summary: "Release all stops",
    description: "Also those of some agents. Requires the role admin.",
    security,
    request: createBody(reasonBody),
    responses: {
      200: jsonResponse("The workspace", z.strictObject({ workspace })),
      ...problems(400, 401, 403, 413, 415, 422, "invalid_state"),
    },
  }),
};

const WorkspaceFields = graphql(`
  fragment WorkspaceFields on Workspace {
    id: uuid
    name
    emergency_stop_at: emergencyStopAt
    emergency_stop_reason: emergencyStopReason
    generation
  }
`);

const ReadEmergencyStop = graphql(
  `
    query ReadEmergencyStop {
      workspace {
        emergencyStop {
          ...StopFields
        }
      }
    }
  `,
  [StopFields],
);

const EmergencyStop = graphql(
  `
    mutation EmergencyStop($reason: String!, $scope: AgentSelector) {
      emergencyStop(input: { reason: $reason, scope: $scope }) {
        workspace {
          ...WorkspaceFields
        }
        stop {
          ...StopFields
        }
      }
    }
  `,
  [WorkspaceFields, StopFields],
);

const ReleaseEmergencyStop = graphql(
  `
    mutation ReleaseEmergencyStop($reason: String!) {
      releaseEmergencyStop(input: { reason: $reason }) {
        workspace {
          ...WorkspaceFields
        }
      }
    }
  `,
  [WorkspaceFields],
);

/** The routes to read, start and release a stop of all agents. */
export function emergencyStopRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { session: true });
  app.openapi(
    { ...routes.read, middleware: guardRoute(services, { scope: "agents:read", session: true }) },
    async (c) => {
      const { workspace: read } = await execute(getCtx(c), ReadEmergencyStop, {});
      return c.json({ stop: read.emergencyStop && stopJson(read.emergencyStop) }, 200);
    },
  );
  app.openapi({ ...routes.stop, middleware }, async (c) => {
    const { reason: because, scope } = c.req.valid("json");
    const { emergencyStop } = await execute(getCtx(c), EmergencyStop, {
      reason: because,
      scope: scope ? { ...scope, kind: scope.kind ? toGraphqlEnum(scope.kind) : null } : null,
    });
    return c.json({ workspace: emergencyStop.workspace, stop: stopJson(emergencyStop.stop) }, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const { releaseEmergencyStop } = await execute(getCtx(c), ReleaseEmergencyStop, c.req.valid("json"));
    return c.json(releaseEmergencyStop, 200);
  });
  return app;
}

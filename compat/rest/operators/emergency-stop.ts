import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { stopState } from "../agents/agent-shape.ts";
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
import { createBody, dateTime, toWireEnum, reason, uuid } from "../shared/shapes.ts";

const reasonBody = z.strictObject({ reason }).openapi("Because");

const workspace = z
  .strictObject({
    id: uuid,
    name: z.string(),
    emergency_stop_at: dateTime.nullable(),
    emergency_stop_reason: z.string().nullable(),
    generation: z.int(),
  })
  .openapi("Workspace");

const outstanding = z
  .strictObject({
    id: uuid,
    name: z.string(),
    kind: z.enum(["software", "robot"]),
    state: stopState,
    last_seen_at: dateTime.nullable(),
  })
  .openapi("OutstandingAgent");

const stop = z
  .strictObject({
    id: uuid.nullable(),
    at: dateTime,
    by: actor,
    reason: z.string().nullable(),
    agents: z
      .strictObject({ total: z.int(), confirmed: z.int(), pending: z.int(), unreachable: z.int() })
      .openapi({ description: "Agents covered by the stop that are not archived." }),
    outstanding: z.array(outstanding).openapi({
      description:
        "Agents that have not confirmed, at most 100: robots first, then unreachable ones. `pending` and `unreachable` give the full numbers.",
    }),
  })
  .openapi("EmergencyStop", {
    description: "Who stopped all agents, when and why, and who has confirmed it.",
  });

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];

const routes = {
  read: createRoute({
    method: "get",
    path: "/operator/emergency_stop",
    tags: ["Operators"],
    summary: "Read who has confirmed the emergency stop",
    description: "`stop` is null if no emergency stop is active.",
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
    summary: "Stop all agents of the workspace",
    description:
      "Takes effect at once: no agent gets any work, and `stop` shows which agents have confirmed. This is not a safety function of a robot. Requires the role operator.",
    security,
    request: createBody(reasonBody),
    responses: {
      200: jsonResponse(
        "The workspace and its emergency stop",
        z.strictObject({ workspace, stop: stop.nullable() }),
      ),
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
  release: createRoute({
    method: "post",
    path: "/operator/emergency_stop/release",
    tags: ["Operators"],
    summary: "End an emergency stop",
    description: "Requires the role admin.",
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

const StopFields = graphql(
  `
    fragment StopFields on WorkspaceEmergencyStop {
      id: uuid
      at
      by {
        ...ActorFields
      }
      reason
      agents {
        total
        confirmed
        pending
        unreachable
      }
      outstanding(first: 100) {
        agent {
          id: uuid
          name
        }
        kind
        state
        last_seen_at: lastSeenAt
      }
    }
  `,
  [ActorFields],
);

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
    mutation EmergencyStop($reason: String!) {
      emergencyStop(input: { reason: $reason }) {
        workspace {
          ...WorkspaceFields
          stop: emergencyStop {
            ...StopFields
          }
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

/** The routes to read, start and end an emergency stop. */
export function emergencyStopRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { session: true });
  app.openapi(
    { ...routes.read, middleware: guardRoute(services, { scope: "agents:read", session: true }) },
    async (c) => {
      const { workspace: read } = await execute(getCtx(c), ReadEmergencyStop, {});
      return c.json({ stop: stopJson(read.emergencyStop) }, 200);
    },
  );
  app.openapi({ ...routes.stop, middleware }, async (c) => {
    const { emergencyStop } = await execute(getCtx(c), EmergencyStop, c.req.valid("json"));
    const { stop: made, ...stopped } = emergencyStop.workspace;
    return c.json({ workspace: stopped, stop: stopJson(made) }, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const { releaseEmergencyStop } = await execute(getCtx(c), ReleaseEmergencyStop, c.req.valid("json"));
    return c.json(releaseEmergencyStop, 200);
  });
  return app;
}

function stopJson(made: ResultOf<typeof StopFields> | null) {
  if (made === null) return null;
  return { ...made, by: actorJson(made.by), outstanding: made.outstanding.flatMap(outstandingJson) };
}

function outstandingJson({
  agent,
  kind,
  state,
  ...rest
}: ResultOf<typeof StopFields>["outstanding"][number]) {
  // Callers who may not read agents get no names, and so no list.
  return agent === null ? [] : [{ ...agent, kind: toWireEnum(kind), state: toWireEnum(state), ...rest }];
}

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
      .openapi({ description: "Those that the stop told and that are not archived." }),
    outstanding: z.array(outstanding).openapi({
      description:
        "Those that have not confirmed, at most 100: robots first, then those that can't be reached. `pending` and `unreachable` say how many there are.",
    }),
  })
  .openapi("EmergencyStop", {
    description: "Who stopped all agents, when and why, and who has confirmed it.",
  });

/** What no bearer may do: a person who is logged in. */
const security = [{ session: [] }];

const routes = {
  read: createRoute({
    method: "get",
    path: "/operator/emergency_stop",
    tags: ["Operators"],
    summary: "Read who has confirmed the emergency stop",
    description: "`stop` is null where none stands.",
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
      "That holds at once, as for one agent: nobody gets any work, and `stop` tells who has confirmed the command to stop. It is no safety function of a robot. For operators.",
    security,
    request: createBody(reasonBody),
    responses: {
      200: jsonResponse(
        "The workspace, and its emergency stop",
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
    description: "For admins.",
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

/** The routes by which people stop all agents. */
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
  // Only who may not read agents gets no name, and no list either.
  return agent === null ? [] : [{ ...agent, kind: toWireEnum(kind), state: toWireEnum(state), ...rest }];
}

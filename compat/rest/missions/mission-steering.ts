import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { AgentCommandFields, agentCommand, agentCommandJson } from "../agent-commands/agent-command-shape.ts";
import { readGenerations } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { WholeMissionFields, wholeMission, wholeMissionJson } from "./mission-shape.ts";
import { idParameter } from "../shared/parameters.ts";
import { jsonResponse, bearerOrSession, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, omitUndefined, handle, reason } from "../shared/shapes.ts";

const reasonFields = { reason: reason.nullish() };

const steering = z.strictObject(reasonFields).openapi("MissionSteering");
const stepSteering = z.strictObject({ step_key: handle, ...reasonFields }).openapi("MissionStepSteering");
const cancellation = z
  .strictObject({
    force: z
      .boolean()
      .optional()
      .openapi({ description: "Cancels at once, without waiting for the robot to confirm." }),
    ...reasonFields,
  })
  .openapi("MissionCancellation");

const commonRoute = {
  method: "post" as const,
  tags: ["Missions"],
  security: bearerOrSession("missions:write"),
  responses: {
    202: jsonResponse(
      "The mission, and the command sent to its robot, or null if it has none",
      // For a nullable reference, the generated document would omit null.
      z.strictObject({ mission: wholeMission, agent_command: z.union([agentCommand, z.null()]) }),
    ),
    ...problems(400, 401, 403, 404, "invalid_state", 412, 413, 415, 422),
  },
};

/** Of what does not only make the robot do less. */
const decidedRoute = {
  ...commonRoute,
  responses: { ...commonRoute.responses, ...problems(403, "policy_denied", "approval_required") },
};

const routes = {
  pause: createRoute({
    ...commonRoute,
    path: "/operator/missions/{id}/pause",
    summary: "Pause a running mission and its robot",
    request: { params: idParameter, ...createBody(steering) },
  }),
  resume: createRoute({
    ...decidedRoute,
    path: "/operator/missions/{id}/resume",
    summary: "Resume a paused mission and its robot",
    request: { params: idParameter, ...createBody(steering) },
  }),
  cancel: createRoute({
    ...commonRoute,
    path: "/operator/missions/{id}/cancel",
    summary: "Cancel a mission",
    description:
      "Takes effect at once if the robot has not started. Otherwise the robot has 60 seconds to confirm. Repeating the request changes nothing.",
    request: { params: idParameter, ...createBody(cancellation) },
  }),
  retry: createRoute({
    ...decidedRoute,
    path: "/operator/missions/{id}/retry_step",
    summary: "Retry a retriable step",
    request: { params: idParameter, ...createBody(stepSteering) },
  }),
  skip: createRoute({
    ...decidedRoute,
    path: "/operator/missions/{id}/skip_step",
    summary: "Skip an unfinished step",
    request: { params: idParameter, ...createBody(stepSteering) },
  }),
};

const PauseMission = graphql(
  `
    mutation PauseMission($input: PauseMissionInput!) {
      steered: pauseMission(input: $input) {
        mission {
          ...WholeMissionFields
        }
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [WholeMissionFields, AgentCommandFields],
);

const ResumeMission = graphql(
  `
    mutation ResumeMission($input: ResumeMissionInput!) {
      steered: resumeMission(input: $input) {
        mission {
          ...WholeMissionFields
        }
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [WholeMissionFields, AgentCommandFields],
);

const CancelMission = graphql(
  `
    mutation CancelMission($input: CancelMissionInput!) {
      steered: cancelMission(input: $input) {
        mission {
          ...WholeMissionFields
        }
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [WholeMissionFields, AgentCommandFields],
);

const RetryMissionStep = graphql(
  `
    mutation RetryMissionStep($input: RetryMissionStepInput!) {
      steered: retryMissionStep(input: $input) {
        mission {
          ...WholeMissionFields
        }
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [WholeMissionFields, AgentCommandFields],
);

const SkipMissionStep = graphql(
  `
    mutation SkipMissionStep($input: SkipMissionStepInput!) {
      steered: skipMissionStep(input: $input) {
        mission {
          ...WholeMissionFields
        }
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [WholeMissionFields, AgentCommandFields],
);

/** The routes to pause, resume and cancel missions, and to retry and skip their steps. */
export function missionSteeringRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "missions:write", session: true });
  app.openapi({ ...routes.pause, middleware }, async (c) => {
    const { reason } = c.req.valid("json");
    const input = omitUndefined({
      id: toNodeId(c.req.valid("param")),
      reason,
      ifGeneration: readGenerations(c),
    });
    const { steered } = await execute(getCtx(c), PauseMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.resume, middleware }, async (c) => {
    const { reason } = c.req.valid("json");
    const input = omitUndefined({
      id: toNodeId(c.req.valid("param")),
      reason,
      ifGeneration: readGenerations(c),
    });
    const { steered } = await execute(getCtx(c), ResumeMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.cancel, middleware }, async (c) => {
    const { reason, force } = c.req.valid("json");
    const input = omitUndefined({
      id: toNodeId(c.req.valid("param")),
      reason,
      force,
      ifGeneration: readGenerations(c),
    });
    const { steered } = await execute(getCtx(c), CancelMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  addStepRoutes(app, middleware);
  return app;
}

function addStepRoutes(app: RestApp, middleware: ReturnType<typeof guardRouteWithBody>): void {
  app.openapi({ ...routes.retry, middleware }, async (c) => {
    const { reason, step_key: stepKey } = c.req.valid("json");
    const input = omitUndefined({
      id: toNodeId(c.req.valid("param")),
      stepKey,
      reason,
      ifGeneration: readGenerations(c),
    });
    const { steered } = await execute(getCtx(c), RetryMissionStep, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.skip, middleware }, async (c) => {
    const { reason, step_key: stepKey } = c.req.valid("json");
    const input = omitUndefined({
      id: toNodeId(c.req.valid("param")),
      stepKey,
      reason,
      ifGeneration: readGenerations(c),
    });
    const { steered } = await execute(getCtx(c), SkipMissionStep, { input });
    return c.json(steeredJson(steered), 202);
  });
}

function toNodeId({ id }: z.output<typeof idParameter>): string {
  return toGlobalId("Mission", id.toLowerCase());
}

function steeredJson({ mission, agentCommand: command }: ResultOf<typeof PauseMission>["steered"]) {
  return {
    mission: wholeMissionJson(mission),
    agent_command: command === null ? null : agentCommandJson(command),
  };
}

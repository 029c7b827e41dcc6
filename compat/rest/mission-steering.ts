import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { AgentCommandFields, agentCommand, agentCommandJson } from "./agent-command-shape.ts";
import { generationsOf } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guardedWithBody } from "./face.ts";
import { WholeMissionFields, wholeMission, wholeMissionJson } from "./mission-shape.ts";
import { byId } from "./parameters.ts";
import { answer, bearerOrSession, problems } from "./responses.ts";
import { createRoute } from "./route.ts";
import { bodyOf, given, handle, reason } from "./shapes.ts";

const why = { reason: reason.nullish() };

const steering = z.strictObject(why).openapi("MissionSteering");
const stepSteering = z.strictObject({ step_key: handle, ...why }).openapi("MissionStepSteering");
const cancellation = z
  .strictObject({
    force: z.boolean().optional().openapi({ description: "Ends it now, without its robot's word." }),
    ...why,
  })
  .openapi("MissionCancellation");

const common = {
  method: "post" as const,
  tags: ["Missions"],
  security: bearerOrSession("missions:write"),
  responses: {
    202: answer(
      "The mission, and the command by which its robot is told: null where there is none to tell",
      // Of a named shape that is nullable the document would say that it is never null.
      z.strictObject({ mission: wholeMission, agent_command: z.union([agentCommand, z.null()]) }),
    ),
    ...problems(400, 401, 403, 404, "invalid_state", 412, 413, 415, 422),
  },
};

const routes = {
  pause: createRoute({
    ...common,
    path: "/operator/missions/{id}/pause",
    summary: "Pause a running mission, and tell its robot",
    request: { params: byId, ...bodyOf(steering) },
  }),
  resume: createRoute({
    ...common,
    path: "/operator/missions/{id}/resume",
    summary: "Let a paused mission go on, and tell its robot",
    request: { params: byId, ...bodyOf(steering) },
  }),
  cancel: createRoute({
    ...common,
    path: "/operator/missions/{id}/cancel",
    summary: "Cancel a mission",
    description:
      "At once where its robot has not begun it; else the robot is told and has 60 seconds to confirm. Asking again changes nothing.",
    request: { params: byId, ...bodyOf(cancellation) },
  }),
  retry: createRoute({
    ...common,
    path: "/operator/missions/{id}/retry_step",
    summary: "Let a robot try a retriable step again",
    request: { params: byId, ...bodyOf(stepSteering) },
  }),
  skip: createRoute({
    ...common,
    path: "/operator/missions/{id}/skip_step",
    summary: "Skip a step that is not done",
    request: { params: byId, ...bodyOf(stepSteering) },
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

/** The routes by which missions are paused, resumed, canceled, and their steps tried again and skipped. */
export function missionSteeringRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardedWithBody(services, { scope: "missions:write", session: true });
  app.openapi({ ...routes.pause, middleware }, async (c) => {
    const { reason } = c.req.valid("json");
    const input = given({ id: idOf(c.req.valid("param")), reason, ifGeneration: generationsOf(c) });
    const { steered } = await execute(ctxOf(c), PauseMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.resume, middleware }, async (c) => {
    const { reason } = c.req.valid("json");
    const input = given({ id: idOf(c.req.valid("param")), reason, ifGeneration: generationsOf(c) });
    const { steered } = await execute(ctxOf(c), ResumeMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.cancel, middleware }, async (c) => {
    const { reason, force } = c.req.valid("json");
    const input = given({ id: idOf(c.req.valid("param")), reason, force, ifGeneration: generationsOf(c) });
    const { steered } = await execute(ctxOf(c), CancelMission, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.retry, middleware }, async (c) => {
    const { reason, step_key: stepKey } = c.req.valid("json");
    const input = given({ id: idOf(c.req.valid("param")), stepKey, reason, ifGeneration: generationsOf(c) });
    const { steered } = await execute(ctxOf(c), RetryMissionStep, { input });
    return c.json(steeredJson(steered), 202);
  });
  app.openapi({ ...routes.skip, middleware }, async (c) => {
    const { reason, step_key: stepKey } = c.req.valid("json");
    const input = given({ id: idOf(c.req.valid("param")), stepKey, reason, ifGeneration: generationsOf(c) });
    const { steered } = await execute(ctxOf(c), SkipMissionStep, { input });
    return c.json(steeredJson(steered), 202);
  });
  return app;
}

function idOf({ id }: z.output<typeof byId>): string {
  return toGlobalId("Mission", id.toLowerCase());
}

function steeredJson({ mission, agentCommand: command }: ResultOf<typeof PauseMission>["steered"]) {
  return {
    mission: wholeMissionJson(mission),
    agent_command: command === null ? null : agentCommandJson(command),
  };
}

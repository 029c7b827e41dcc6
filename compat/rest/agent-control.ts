import { createRoute, z } from "@hono/zod-openapi";
import { LIMITS } from "../../src/domain/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { AgentFields, agent, agentJson, controlState } from "./agent-shape.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guardedWithBody } from "./face.ts";
import { byId } from "./parameters.ts";
import { answer, problems } from "./responses.ts";
import { bodyOf, dateTime, given, upper, uuid } from "./shapes.ts";

const reason = z.string().min(1).max(LIMITS.textLength);

const control = z.object({ control_state: controlState, reason: reason.nullish() }).openapi("AgentControl");

const because = z.object({ reason }).openapi("Because");

const workspace = z
  .strictObject({
    id: uuid,
    name: z.string(),
    emergency_stop_at: dateTime.nullable(),
    emergency_stop_reason: z.string().nullable(),
    generation: z.int(),
  })
  .openapi("Workspace");

/** What no bearer may do: a person who is logged in. */
const security = [{ session: [] }];
const stopped = {
  200: answer("The workspace", z.strictObject({ workspace })),
  ...problems(400, 401, 403, 413, 415, 422),
};

const routes = {
  control: createRoute({
    method: "post",
    path: "/operator/agents/{id}/control",
    tags: ["Operators"],
    summary: "Pause, stop or resume an agent",
    description:
      "That holds at once, whatever the agent does: it claims nothing more, and what a stopped agent holds is to be canceled. For operators.",
    security,
    request: { params: byId, ...bodyOf(control) },
    responses: {
      200: answer("The agent", z.strictObject({ agent })),
      ...problems(400, 401, 403, 404, 413, 415, 422),
    },
  }),
  stop: createRoute({
    method: "post",
    path: "/operator/emergency_stop",
    tags: ["Operators"],
    summary: "Stop all agents of the workspace",
    description: "That holds at once, as for one agent. It is no safety function of a robot. For operators.",
    security,
    request: bodyOf(because),
    responses: stopped,
  }),
  release: createRoute({
    method: "post",
    path: "/operator/emergency_stop/release",
    tags: ["Operators"],
    summary: "End an emergency stop",
    description: "For admins.",
    security,
    request: bodyOf(because),
    responses: { ...stopped, ...problems("invalid_state") },
  }),
};

const SetAgentControlState = graphql(
  `
    mutation SetAgentControlState($input: SetAgentControlStateInput!) {
      setAgentControlState(input: $input) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const StoppedFields = graphql(`
  fragment StoppedFields on Workspace {
    id: uuid
    name
    emergency_stop_at: emergencyStopAt
    emergency_stop_reason: emergencyStopReason
    generation
  }
`);

const EmergencyStop = graphql(
  `
    mutation EmergencyStop($reason: String!) {
      emergencyStop(input: { reason: $reason }) {
        workspace {
          ...StoppedFields
        }
      }
    }
  `,
  [StoppedFields],
);

const ReleaseEmergencyStop = graphql(
  `
    mutation ReleaseEmergencyStop($reason: String!) {
      releaseEmergencyStop(input: { reason: $reason }) {
        workspace {
          ...StoppedFields
        }
      }
    }
  `,
  [StoppedFields],
);

/** The routes by which people stop agents. */
export function agentControlRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardedWithBody(services, { session: true });
  app.openapi({ ...routes.control, middleware }, async (c) => {
    const { control_state: state, reason: why } = c.req.valid("json");
    const id = toGlobalId("Agent", c.req.valid("param").id.toLowerCase());
    const input = given({ id, controlState: upper(state), reason: why });
    const { setAgentControlState: set } = await execute(ctxOf(c), SetAgentControlState, { input });
    return c.json({ agent: agentJson(set.agent) }, 200);
  });
  app.openapi({ ...routes.stop, middleware }, async (c) => {
    const { emergencyStop } = await execute(ctxOf(c), EmergencyStop, c.req.valid("json"));
    return c.json(emergencyStop, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const { releaseEmergencyStop } = await execute(ctxOf(c), ReleaseEmergencyStop, c.req.valid("json"));
    return c.json(releaseEmergencyStop, 200);
  });
  return app;
}

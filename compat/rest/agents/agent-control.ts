import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { AgentFields, agent, agentJson, controlState } from "./agent-shape.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { idParameter } from "../shared/parameters.ts";
import { jsonResponse, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, labels, omitUndefined, reason, toGraphqlEnum } from "../shared/shapes.ts";

const control = z
  .strictObject({ control_state: controlState, reason: reason.nullish() })
  .openapi("AgentControl");

const agentLabels = z.strictObject({ labels }).openapi("AgentLabels");

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];
const routes = {
  control: createRoute({
    method: "post",
    path: "/operator/agents/{id}/control",
    tags: ["Operators"],
    summary: "Pause, stop or resume an agent",
    description:
      "Takes effect at once. The agent can claim no more tasks, and a stopped agent is asked to cancel the tasks it holds. Policies decide about a resumption, as the action `agent.resume`. Requires the role operator.",
    security,
    request: { params: idParameter, ...createBody(control) },
    responses: {
      200: jsonResponse("The agent", z.strictObject({ agent })),
      ...problems(400, 401, 403, "policy_denied", "approval_required", 404, 413, 415, 422),
    },
  }),
  label: createRoute({
    method: "put",
    path: "/operator/agents/{id}/labels",
    tags: ["Operators"],
    summary: "Replace an agent's labels",
    description:
      "Policies, budgets, stops, commands and missions mean agents by them. Not while a stop covers the agent. Requires the role admin, and that the password was entered within the last 20 minutes.",
    security,
    request: { params: idParameter, ...createBody(agentLabels) },
    responses: {
      200: jsonResponse("The agent", z.strictObject({ agent })),
      ...problems(400, 401, 403, "sudo_required", "emergency_stop", 404, 413, 415, 422),
    },
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

const SetAgentLabels = graphql(
  `
    mutation SetAgentLabels($id: ID!, $labels: JSON!) {
      setAgentLabels(input: { id: $id, labels: $labels }) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

/** The routes to pause, stop, resume and label one agent. */
export function agentControlRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { session: true });
  app.openapi({ ...routes.control, middleware }, async (c) => {
    const { control_state: state, reason: why } = c.req.valid("json");
    const id = toGlobalId("Agent", c.req.valid("param").id.toLowerCase());
    const input = omitUndefined({ id, controlState: toGraphqlEnum(state), reason: why });
    const { setAgentControlState: set } = await execute(getCtx(c), SetAgentControlState, { input });
    return c.json({ agent: agentJson(set.agent) }, 200);
  });
  app.openapi({ ...routes.label, middleware }, async (c) => {
    const id = toGlobalId("Agent", c.req.valid("param").id.toLowerCase());
    const { setAgentLabels: set } = await execute(getCtx(c), SetAgentLabels, { id, ...c.req.valid("json") });
    return c.json({ agent: agentJson(set.agent) }, 200);
  });
  return app;
}

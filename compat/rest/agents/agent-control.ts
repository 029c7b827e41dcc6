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
import { createBody, omitUndefined, reason, toGraphqlEnum } from "../shared/shapes.ts";

const control = z
  .strictObject({ control_state: controlState, reason: reason.nullish() })
  .openapi("AgentControl");

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];
const routes = {
  control: createRoute({
    method: "post",
    path: "/operator/agents/{id}/control",
    tags: ["Operators"],
    summary: "Pause, stop or resume an agent",
    description:
      "Takes effect at once. The agent can claim no more tasks, and a stopped agent is asked to cancel the tasks it holds. Requires the role operator.",
    security,
    request: { params: idParameter, ...createBody(control) },
    responses: {
      200: jsonResponse("The agent", z.strictObject({ agent })),
      ...problems(400, 401, 403, 404, 413, 415, 422),
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

/** The route to pause, stop or resume one agent. */
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
  return app;
}

import { z } from "@hono/zod-openapi";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { AgentFields, agent, agentJson, controlState } from "./agent-shape.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guardedWithBody } from "./face.ts";
import { byId } from "./parameters.ts";
import { answer, problems } from "./responses.ts";
import { createRoute } from "./route.ts";
import { bodyOf, given, reason, upper } from "./shapes.ts";

const control = z
  .strictObject({ control_state: controlState, reason: reason.nullish() })
  .openapi("AgentControl");

/** What no bearer may do: a person who is logged in. */
const security = [{ session: [] }];
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

/** The route by which people stop one agent. */
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
  return app;
}

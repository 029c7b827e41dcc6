import { z } from "@hono/zod-openapi";
import { CAPABILITY_TYPE, LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { AgentFields, agent, agentJson, controlState } from "./agent-shape.ts";
import { answerHashed } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import {
  idParameter,
  buildLinkHeader,
  pageParameters,
  pagination,
  toPagination,
} from "../shared/parameters.ts";
import { jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import {
  createBody,
  dateTime,
  omitUndefined,
  toWireEnum,
  noBody,
  text,
  toGraphqlEnum,
} from "../shared/shapes.ts";

const MAX_OFFSET = 100_000;

const capability = z.strictObject({
  type: z
    .string()
    .max(LIMITS.nameLength)
    .regex(CAPABILITY_TYPE, "must be words of a-z, 0-9 and _, joined by dots, such as custom.open_gripper"),
  params_schema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())], "must be a JSON Schema")
    .optional(),
});

const profile = z
  .strictObject({
    name: text(LIMITS.nameLength).optional(),
    version: text(LIMITS.nameLength).nullish(),
    description: text(LIMITS.textLength).nullish(),
    capabilities: z
      .array(capability)
      .max(LIMITS.capabilities)
      .optional()
      .openapi({
        description:
          "The commands that the agent supports, with the JSON Schema (draft 2020-12 or 07) of their params: " +
          `at most ${LIMITS.schemaNodes} values, ${LIMITS.schemaRefs} references and ` +
          `${LIMITS.schemaPatterns} patterns; references only within the schema; patterns in RE2 syntax.`,
      }),
  })
  .openapi("AgentProfile", { description: "Only the given fields are changed." });

const LABEL = new RegExp(`^[^=\\0]{1,${LIMITS.labelLength}}=[^\\0]{0,${LIMITS.labelLength}}$`);

const label = z
  .string()
  .regex(LABEL, "must be name=value, with at most 64 characters each")
  .transform((text) => {
    const at = text.indexOf("=");
    return { [text.slice(0, at)]: text.slice(at + 1) };
  })
  .optional()
  .openapi({ type: "string", description: "Only agents with this label, such as `site=hall-a`." });

const routes = {
  list: createRoute({
    method: "get",
    path: "/agents",
    tags: ["Agents"],
    summary: "List agents, newest first",
    security: bearer("agents:read"),
    request: {
      query: z.strictObject({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
        kind: z.enum(["software", "robot"]).optional().openapi({ description: "Only agents of this kind." }),
        label,
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of agents",
        z.strictObject({ agents: z.array(agent), count: z.int(), pagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/agents/{id}",
    tags: ["Agents"],
    summary: "Read an agent",
    security: bearer("agents:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The agent", z.strictObject({ agent })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
  update: createRoute({
    method: "put",
    path: "/agents/self",
    tags: ["Agents"],
    summary: "Update your own profile and capabilities",
    security: bearer(),
    request: createBody(profile),
    responses: {
      200: jsonResponse("Your agent", z.strictObject({ agent })),
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
  heartbeat: createRoute({
    method: "post",
    path: "/agents/self/heartbeat",
    tags: ["Agents"],
    summary: "Report that you are online, and read your control state",
    security: bearer(),
    request: noBody,
    responses: {
      200: jsonResponse(
        "Control state and pending commands",
        z.strictObject({
          control_state: controlState,
          emergency_stop: z.boolean().openapi({ description: "Whether an emergency stop is active." }),
          pending_commands: z
            .int()
            .openapi({ description: "Number of commands that are not acknowledged yet." }),
          server_time: dateTime,
        }),
      ),
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
};

const ListAgents = graphql(
  `
    query ListAgents($limit: Int!, $offset: Int!, $filter: AgentFilter) {
      agents(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const ReadAgent = graphql(
  `
    query ReadAgent($id: ID!) {
      agent(id: $id) {
        ...AgentFields
      }
    }
  `,
  [AgentFields],
);

const UpdateOwnAgent = graphql(
  `
    mutation UpdateOwnAgent($input: UpdateOwnAgentInput!) {
      updateOwnAgent(input: $input) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const HeartbeatAgent = graphql(`
  mutation HeartbeatAgent {
    heartbeatAgent(input: {}) {
      control_state: controlState
      emergency_stop: emergencyStop
      pending_commands: pendingCommands
      server_time: serverTime
    }
  }
`);

/** The routes of /api/v1/agents. */
export function agentRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "agents:read" });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { limit, offset, kind, label: labels } = c.req.valid("query");
    const filter = omitUndefined({ kind: kind === undefined ? undefined : toGraphqlEnum(kind), labels });
    const { agents } = await execute(getCtx(c), ListAgents, { limit, offset, filter });
    const { totalCount: total, pageInfo } = agents;
    const count = agents.nodes.length;
    const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place, { kind, label: c.req.query("label") }));
    return answerHashed(c, { agents: agents.nodes.map(agentJson), count, pagination: place });
  });
  app.openapi({ ...routes.update, middleware: guardRouteWithBody(services) }, async (c) => {
    const input = omitUndefined(c.req.valid("json"));
    const { updateOwnAgent } = await execute(getCtx(c), UpdateOwnAgent, { input });
    return c.json({ agent: agentJson(updateOwnAgent.agent) }, 200);
  });
  app.openapi({ ...routes.heartbeat, middleware: guardRouteWithBody(services) }, async (c) => {
    const { heartbeatAgent: answered } = await execute(getCtx(c), HeartbeatAgent, {});
    return c.json({ ...answered, control_state: toWireEnum(answered.control_state) }, 200);
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Agent", c.req.valid("param").id.toLowerCase());
    const { agent: found } = await execute(getCtx(c), ReadAgent, { id });
    return answerHashed(c, { agent: agentJson(found) });
  });
  return app;
}

import { z } from "@hono/zod-openapi";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { BUILT_IN_COMMANDS, CUSTOM_COMMAND } from "../../../src/domain/agent-commands/command-types.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import {
  AgentCommandFields,
  COMMAND_PRIORITIES,
  COMMAND_STATUSES,
  agentCommand,
  agentCommandJson,
} from "./agent-command-shape.ts";
import { answerHashed, readGenerations, answerIfUnchanged, buildValidators } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { idParameter, limitParameter } from "../shared/parameters.ts";
import {
  IDEMPOTENT,
  jsonResponse,
  bearer,
  bearerOrSession,
  notModified,
  problems,
} from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import {
  createBody,
  omitUndefined,
  jsonObject,
  labels,
  newDateTime,
  nodeId,
  reason,
  toGraphqlEnum,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";
import { buildPageLink } from "./page-link.ts";

const COMMAND_TYPES = `must be one of ${BUILT_IN_COMMANDS.join(", ")}, or custom. followed by a name of a-z, 0-9, dot, underscore or dash`;

const commandType = z.union(
  [z.enum(BUILT_IN_COMMANDS), z.string().max(LIMITS.commandTypeLength).regex(CUSTOM_COMMAND, COMMAND_TYPES)],
  { error: ({ input }) => (input === undefined ? undefined : COMMAND_TYPES) },
);

const newCommand = z
  .strictObject({
    agent_id: uuid.nullish().openapi({ description: "The agent to send it to." }),
    selector: z
      .strictObject({
        kind: z.enum(["software", "robot"]).nullish(),
        labels: labels.nullish().openapi({ type: ["object", "null"] }),
      })
      .refine(
        ({ kind, labels: named }) => Boolean(kind) || Object.keys(named ?? {}).length > 0,
        "must name a kind or at least one label",
      )
      .nullish()
      .openapi({
        description: "Instead of `agent_id`: all agents of this kind with these labels, at most 500.",
      }),
    type: commandType.openapi({ description: "Built in, such as `agent.pause`, or `custom.` and a name." }),
    params: jsonObject(LIMITS.commandParamsBytes).optional().openapi({
      description: "At most 64 KiB, and 4 MiB for all agents. Valid against the agents' schemas.",
    }),
    priority: z.enum(COMMAND_PRIORITIES).optional().openapi({
      description: "Default: `normal`. Pause, resume and stop are always urgent.",
    }),
    expires_in_s: seconds(LIMITS.commandExpirySeconds),
    not_before: newDateTime.nullish(),
    ack_timeout_s: seconds(LIMITS.ackTimeoutSeconds),
    run_timeout_s: seconds(LIMITS.runTimeoutSeconds),
    task_id: uuid.nullish(),
    mission_id: uuid.nullish(),
  })
  .openapi("NewAgentCommand");

function seconds({ default: fallback, ...range }: { min: number; max: number; default: number }) {
  return wholeNumber(range)
    .optional()
    .openapi({ description: `Seconds. Default: ${fallback}.` });
}

const cancellation = z.strictObject({ reason: reason.nullish() }).openapi("AgentCommandCancellation");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/agent_commands",
    tags: ["Agent commands"],
    summary: "List agent commands, newest first",
    security: bearerOrSession("agent_commands:read"),
    request: {
      query: z.object({
        limit: limitParameter({ min: 1, max: 100, default: 25 }),
        status: z.enum(COMMAND_STATUSES).optional().openapi({ description: "Only with this status." }),
        agent_id: uuid.optional().openapi({ description: "Only commands for this agent." }),
        batch_id: uuid.optional().openapi({ description: "Only commands issued by the same request." }),
        before: uuid.optional().openapi({ description: "Only commands after this id in the list." }),
      }),
    },
    responses: {
      200: jsonResponse("The newest commands", z.strictObject({ agent_commands: z.array(agentCommand) })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  issue: createRoute({
    method: "post",
    path: "/operator/agent_commands",
    tags: ["Agent commands"],
    summary: "Issue a command to one or more agents",
    description:
      "Each agent receives its commands one at a time, in order of issue. Urgent commands overtake normal ones. " +
      "If policies ask people, it is `awaiting_approval` first; if they deny it for one agent, none gets it. A repeated request returns the commands as they are, with their results, but at most about 4 MiB of them: if `has_more` is true, list all by `batch_id`.",
    security: bearerOrSession("agent_commands:write"),
    request: createBody(newCommand),
    responses: {
      202: jsonResponse(
        "One command for each agent",
        z.strictObject({ batch_id: uuid, agent_commands: z.array(agentCommand), has_more: z.boolean() }),
      ),
      ...problems(...IDEMPOTENT, 401, 403, "emergency_stop", "policy_denied", 413, 415, 422),
    },
  }),
  cancel: createRoute({
    method: "post",
    path: "/operator/agent_commands/{id}/cancel",
    tags: ["Agent commands"],
    summary: "Cancel a command that has not finished",
    security: bearerOrSession("agent_commands:write"),
    request: { params: idParameter, ...createBody(cancellation) },
    responses: {
      200: jsonResponse("The command", z.strictObject({ agent_command: agentCommand })),
      ...problems(400, 401, 403, 404, "invalid_state", 412, 413, 415, 422),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/agent_commands/{id}",
    tags: ["Agent commands"],
    summary: "Read a command",
    security: bearer("agent_commands:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The command", z.strictObject({ agent_command: agentCommand })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const ListAgentCommands = graphql(
  `
    query ListAgentCommands($limit: Int!, $filter: AgentCommandFilter) {
      agentCommands(first: $limit, filter: $filter) {
        version
        pageInfo {
          hasNextPage
        }
        nodes {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

const ReadAgentCommand = graphql(
  `
    query ReadAgentCommand($id: ID!) {
      agentCommand(id: $id) {
        ...AgentCommandFields
      }
    }
  `,
  [AgentCommandFields],
);

const IssueAgentCommand = graphql(
  `
    mutation IssueAgentCommand($input: IssueAgentCommandInput!) {
      issued: issueAgentCommand(input: $input) {
        batch_id: batchId
        has_more: hasMore
        agentCommands {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

const CancelAgentCommand = graphql(
  `
    mutation CancelAgentCommand($input: CancelAgentCommandInput!) {
      canceled: cancelAgentCommand(input: $input) {
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

/** The routes to issue, read and cancel commands. */
export function agentCommandRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const list = guardRoute(services, { scope: "agent_commands:read", session: true });
  app.openapi({ ...routes.list, middleware: list }, async (c) => {
    const same = await answerIfUnchanged(c, services.build, {
      of: "AGENT_COMMANDS",
      status: c.req.valid("query").status,
    });
    if (same !== null) return same;
    const { limit, ...filters } = c.req.valid("query");
    const variables = { limit, filter: commandFilter(filters) };
    const { agentCommands } = await execute(getCtx(c), ListAgentCommands, variables).catch(refuseParameter);
    const { nodes, version, pageInfo } = agentCommands;
    const link = buildPageLink(c.req.url, {
      limit,
      last: pageInfo.hasNextPage ? nodes.at(-1)?.id : undefined,
    });
    const headers = { ...buildValidators(c, services.build, version), link };
    return c.json({ agent_commands: nodes.map(agentCommandJson) }, 200, headers);
  });
  const write = { scope: "agent_commands:write", session: true } as const;
  const issue = guardRouteWithBody(services, { ...write, idempotent: true });
  app.openapi({ ...routes.issue, middleware: issue }, async (c) => {
    const input = commandInput(c.req.valid("json"));
    const { agentCommands, ...issued } = (await execute(getCtx(c), IssueAgentCommand, { input })).issued;
    return c.json({ ...issued, agent_commands: agentCommands.map(agentCommandJson) }, 202);
  });
  app.openapi({ ...routes.cancel, middleware: guardRouteWithBody(services, write) }, async (c) => {
    const id = toGlobalId("AgentCommand", c.req.valid("param").id.toLowerCase());
    const input = omitUndefined({ id, reason: c.req.valid("json").reason, ifGeneration: readGenerations(c) });
    const { canceled } = await execute(getCtx(c), CancelAgentCommand, { input });
    return c.json({ agent_command: agentCommandJson(canceled.agentCommand) }, 200);
  });
  const read = guardRoute(services, { scope: "agent_commands:read" });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("AgentCommand", c.req.valid("param").id.toLowerCase());
    const { agentCommand: found } = await execute(getCtx(c), ReadAgentCommand, { id });
    return answerHashed(c, { agent_command: agentCommandJson(found) }, found.generation);
  });
  return app;
}

type CommandFilters = Omit<z.output<typeof routes.list.request.query>, "limit">;

function commandFilter({ status, agent_id: agentId, batch_id: batchId, before }: CommandFilters) {
  return omitUndefined({
    status: status === undefined ? undefined : toGraphqlEnum(status),
    agentId: agentId === undefined ? undefined : nodeId("Agent", agentId),
    batchId,
    before,
  });
}

function commandInput(body: z.output<typeof newCommand>) {
  const { selector } = body;
  return omitUndefined({
    agentId: nodeId("Agent", body.agent_id),
    selector: selector
      ? omitUndefined({ ...selector, kind: selector.kind ? toGraphqlEnum(selector.kind) : null })
      : null,
    type: body.type,
    params: body.params,
    priority: body.priority === undefined ? undefined : toGraphqlEnum(body.priority),
    expiresInSeconds: body.expires_in_s,
    notBefore: body.not_before,
    ackTimeoutSeconds: body.ack_timeout_s,
    runTimeoutSeconds: body.run_timeout_s,
    taskId: nodeId("Task", body.task_id),
    missionId: nodeId("Mission", body.mission_id),
  });
}

/** Reports an invalid cursor as an error of the query, as no other input can be invalid here. */
function refuseParameter(error: unknown): never {
  if (error instanceof DomainError && error.code === "validation_failed") {
    throw new DomainError("invalid_parameter", error.message, error.details);
  }
  throw error;
}

import { z } from "@hono/zod-openapi";
import type { Context, Next } from "hono";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import {
  AgentCommandFields,
  COMMAND_PRIORITIES,
  agentCommand,
  agentCommandJson,
} from "./agent-command-shape.ts";
import {
  type RestApp,
  type RestEnv,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { idParameter, integer, limitParameter } from "../shared/parameters.ts";
import { answerError } from "../shared/answer-error.ts";
import { jsonResponse, bearer, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import {
  anyJson,
  createBody,
  omitUndefined,
  reason,
  share,
  text,
  toGraphqlEnum,
  wholeNumber,
} from "../shared/shapes.ts";

const acknowledgement = z
  .strictObject({
    outcome: z
      .enum(["accepted", "rejected", "deferred"])
      .openapi({ description: "Whether the agent will execute the command, won't, or can't yet." }),
    reason: reason.nullish(),
    retry_after_s: wholeNumber(LIMITS.deferralSeconds)
      .nullish()
      .openapi({ description: "Seconds until a deferred command is delivered again. Default: 60." }),
  })
  .openapi("AgentCommandAcknowledgement");

const progress = z
  .strictObject({ progress: share.nullish(), detail: reason.nullish() })
  .openapi("AgentCommandProgress");

const report = z
  .strictObject({
    status: z.enum(["succeeded", "failed"]),
    result: anyJson.optional(),
    error: z
      .strictObject({
        code: text(LIMITS.errorCodeLength),
        message: text(LIMITS.textLength),
      })
      .nullish()
      .openapi({ description: "Only for `failed`." }),
  })
  .openapi("AgentCommandResult");

const security = bearer("agent_commands:ack");
const commandResponses = {
  200: jsonResponse(
    "The command. Repeating the request returns the same response",
    z.strictObject({ agent_command: agentCommand }),
  ),
  ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422),
};

const routes = {
  next: createRoute({
    method: "get",
    path: "/agent_commands/next",
    tags: ["Work"],
    summary: "Fetch the agent's next commands, optionally waiting for one",
    description:
      "Returns all urgent commands, and the next normal one if no other normal one is unacknowledged. A command that isn't acknowledged in time is delivered again, at most ten times.",
    security: bearer("agent_commands:read"),
    request: {
      query: z.strictObject({
        wait: integer(LIMITS.pollSeconds).openapi({
          description: "Maximum seconds to wait for a command.",
        }),
        limit: limitParameter(LIMITS.commandsPage),
        priority: z
          .enum(COMMAND_PRIORITIES)
          .optional()
          .openapi({ description: "Only commands with this priority." }),
        redeliver: z.enum(["true", "false"]).optional().openapi({
          description:
            "Include commands that were delivered but not acknowledged. For an agent that has restarted.",
        }),
      }),
    },
    responses: {
      200: jsonResponse(
        "Commands: urgent ones first, then in order of issue",
        z.strictObject({ agent_commands: z.array(agentCommand) }),
      ),
      204: { description: "No command is waiting" },
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  acknowledge: createRoute({
    method: "post",
    path: "/agent_commands/{id}/ack",
    tags: ["Work"],
    summary: "Acknowledge a command",
    description: "A deferred command keeps its place in the order: later normal commands wait for it.",
    security,
    request: { params: idParameter, ...createBody(acknowledgement) },
    responses: commandResponses,
  }),
  progress: createRoute({
    method: "post",
    path: "/agent_commands/{id}/progress",
    tags: ["Work"],
    summary: "Report a command's progress",
    security,
    request: { params: idParameter, ...createBody(progress) },
    responses: commandResponses,
  }),
  result: createRoute({
    method: "post",
    path: "/agent_commands/{id}/result",
    tags: ["Work"],
    summary: "Report a command's result",
    description:
      "The first result counts; a different one is rejected. A result after the timeout is kept and marked as late.",
    security,
    request: { params: idParameter, ...createBody(report) },
    responses: commandResponses,
  }),
};

const NextAgentCommands = graphql(
  `
    mutation NextAgentCommands($input: NextAgentCommandsInput!) {
      next: nextAgentCommands(input: $input) {
        agentCommands {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

const AckAgentCommand = graphql(
  `
    mutation AckAgentCommand($input: AckAgentCommandInput!) {
      updated: ackAgentCommand(input: $input) {
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

const ReportAgentCommandProgress = graphql(
  `
    mutation ReportAgentCommandProgress($input: ReportAgentCommandProgressInput!) {
      updated: reportAgentCommandProgress(input: $input) {
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

const ReportAgentCommandResult = graphql(
  `
    mutation ReportAgentCommandResult($input: ReportAgentCommandResultInput!) {
      updated: reportAgentCommandResult(input: $input) {
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

/** The routes for agents to fetch commands and respond to them. */
export function agentCommandWorkRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "agent_commands:read" });
  app.openapi({ ...routes.next, middleware: [...read, refuseHead] as const }, async (c) => {
    const { wait: waitSeconds, limit, priority, redeliver } = c.req.valid("query");
    const input = omitUndefined({
      waitSeconds,
      limit,
      priority: priority === undefined ? undefined : toGraphqlEnum(priority),
      redeliver: redeliver === "true",
    });
    const { next } = await execute(getCtx(c), NextAgentCommands, { input });
    const headers = { "cache-control": "no-store" };
    if (next.agentCommands.length === 0) return c.body(null, 204, headers);
    return c.json({ agent_commands: next.agentCommands.map(agentCommandJson) }, 200, headers);
  });
  const middleware = guardRouteWithBody(services, { scope: "agent_commands:ack" });
  app.openapi({ ...routes.acknowledge, middleware }, async (c) => {
    const { outcome, reason: why, retry_after_s: retryAfterSeconds } = c.req.valid("json");
    const call = { outcome: toGraphqlEnum(outcome), reason: why, retryAfterSeconds };
    const input = omitUndefined({ ...call, id: toNodeId(c.req.valid("param")) });
    const { updated: made } = await execute(getCtx(c), AckAgentCommand, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  app.openapi({ ...routes.progress, middleware }, async (c) => {
    const input = omitUndefined({ ...c.req.valid("json"), id: toNodeId(c.req.valid("param")) });
    const { updated: made } = await execute(getCtx(c), ReportAgentCommandProgress, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  app.openapi({ ...routes.result, middleware }, async (c) => {
    const { status, result, error } = c.req.valid("json");
    const input = omitUndefined({
      status: toGraphqlEnum(status),
      result,
      error,
      id: toNodeId(c.req.valid("param")),
    });
    const { updated: made } = await execute(getCtx(c), ReportAgentCommandResult, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  return app;
}

function toNodeId({ id }: { id: string }): string {
  return toGlobalId("AgentCommand", id.toLowerCase());
}

/** Fetching marks commands as delivered, and HEAD must not change anything. @see RFC 9110, 9.2.1 */
async function refuseHead(c: Context<RestEnv>, next: Next): Promise<Response | void> {
  if (c.req.method !== "HEAD") return next();
  return answerError(new DomainError("method_not_allowed", "This path allows only GET."), c, {
    allow: "GET",
  });
}

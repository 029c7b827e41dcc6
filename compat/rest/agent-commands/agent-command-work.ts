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
      .openapi({ description: "It will be carried out, it won't, or not yet." }),
    reason: reason.nullish(),
    retry_after_s: wholeNumber(LIMITS.deferralSeconds)
      .nullish()
      .openapi({ description: "When a deferred command comes again; 60 where it is left out." }),
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
      .openapi({ description: "For a failure, and only there." }),
  })
  .openapi("AgentCommandResult");

const security = bearer("agent_commands:ack");
const commandResponses = {
  200: jsonResponse(
    "The command; the same call again is answered alike",
    z.strictObject({ agent_command: agentCommand }),
  ),
  ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422),
};

const routes = {
  next: createRoute({
    method: "get",
    path: "/agent_commands/next",
    tags: ["Work"],
    summary: "Get the agent's next commands, and wait for one",
    description:
      "Every urgent command, and the first normal one where none waits to be acknowledged. What is not acknowledged in time is delivered again, ten times at most.",
    security: bearer("agent_commands:read"),
    request: {
      query: z.strictObject({
        wait: integer(LIMITS.pollSeconds).openapi({
          description: "Seconds to wait for a command where there is none.",
        }),
        limit: limitParameter(LIMITS.commandsPage),
        priority: z
          .enum(COMMAND_PRIORITIES)
          .optional()
          .openapi({ description: "Only those of this priority." }),
        redeliver: z.enum(["true", "false"]).optional().openapi({
          description:
            "Whether to get what was delivered and not acknowledged again: for an agent that starts anew.",
        }),
      }),
    },
    responses: {
      200: jsonResponse(
        "Commands, the urgent ones first, each kind in its order",
        z.strictObject({ agent_commands: z.array(agentCommand) }),
      ),
      204: { description: "There is none" },
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  acknowledge: createRoute({
    method: "post",
    path: "/agent_commands/{id}/ack",
    tags: ["Work"],
    summary: "Acknowledge a command",
    description: "A command that is deferred keeps its place: later ones wait for it, but for urgent ones.",
    security,
    request: { params: idParameter, ...createBody(acknowledgement) },
    responses: commandResponses,
  }),
  progress: createRoute({
    method: "post",
    path: "/agent_commands/{id}/progress",
    tags: ["Work"],
    summary: "Tell how far a command is carried out",
    security,
    request: { params: idParameter, ...createBody(progress) },
    responses: commandResponses,
  }),
  result: createRoute({
    method: "post",
    path: "/agent_commands/{id}/result",
    tags: ["Work"],
    summary: "Tell what came of a command",
    description:
      "The first result counts; another one is refused. One that comes after the time-out is kept and marked late.",
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
      told: ackAgentCommand(input: $input) {
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
      told: reportAgentCommandProgress(input: $input) {
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
      told: reportAgentCommandResult(input: $input) {
        agentCommand {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

/** The routes by which agents get their commands and answer them. */
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
    const { told: made } = await execute(getCtx(c), AckAgentCommand, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  app.openapi({ ...routes.progress, middleware }, async (c) => {
    const input = omitUndefined({ ...c.req.valid("json"), id: toNodeId(c.req.valid("param")) });
    const { told: made } = await execute(getCtx(c), ReportAgentCommandProgress, { input });
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
    const { told: made } = await execute(getCtx(c), ReportAgentCommandResult, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  return app;
}

function toNodeId({ id }: { id: string }): string {
  return toGlobalId("AgentCommand", id.toLowerCase());
}

/** What GET brings is delivered by it, and HEAD is to change nothing. @see RFC 9110, 9.2.1 */
async function refuseHead(c: Context<RestEnv>, next: Next): Promise<Response | void> {
  if (c.req.method !== "HEAD") return next();
  return answerError(new DomainError("method_not_allowed", "This path answers GET."), c, { allow: "GET" });
}

import { z } from "@hono/zod-openapi";
import type { Context, Next } from "hono";
import { DomainError } from "../../src/domain/errors.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
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
  ctxOf,
  guarded,
  guardedWithBody,
} from "./face.ts";
import { byId, integer, most } from "./parameters.ts";
import { refuse } from "./refuse.ts";
import { answer, bearer, problems } from "./responses.ts";
import { createRoute } from "./route.ts";
import { anyJson, bodyOf, given, reason, share, text, upper, wholeNumber } from "./shapes.ts";

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
const told = {
  200: answer(
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
        limit: most(LIMITS.commandsPage),
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
      200: answer(
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
    request: { params: byId, ...bodyOf(acknowledgement) },
    responses: told,
  }),
  progress: createRoute({
    method: "post",
    path: "/agent_commands/{id}/progress",
    tags: ["Work"],
    summary: "Tell how far a command is carried out",
    security,
    request: { params: byId, ...bodyOf(progress) },
    responses: told,
  }),
  result: createRoute({
    method: "post",
    path: "/agent_commands/{id}/result",
    tags: ["Work"],
    summary: "Tell what came of a command",
    description:
      "The first result counts; another one is refused. One that comes after the time-out is kept and marked late.",
    security,
    request: { params: byId, ...bodyOf(report) },
    responses: told,
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
  const read = guarded(services, { scope: "agent_commands:read" });
  app.openapi({ ...routes.next, middleware: [...read, refuseHead] as const }, async (c) => {
    const { wait: waitSeconds, limit, priority, redeliver } = c.req.valid("query");
    const input = given({
      waitSeconds,
      limit,
      priority: priority === undefined ? undefined : upper(priority),
      redeliver: redeliver === "true",
    });
    const { next } = await execute(ctxOf(c), NextAgentCommands, { input });
    const headers = { "cache-control": "no-store" };
    if (next.agentCommands.length === 0) return c.body(null, 204, headers);
    return c.json({ agent_commands: next.agentCommands.map(agentCommandJson) }, 200, headers);
  });
  const middleware = guardedWithBody(services, { scope: "agent_commands:ack" });
  app.openapi({ ...routes.acknowledge, middleware }, async (c) => {
    const { outcome, reason: why, retry_after_s: retryAfterSeconds } = c.req.valid("json");
    const call = { outcome: upper(outcome), reason: why, retryAfterSeconds };
    const input = given({ ...call, id: idOf(c.req.valid("param")) });
    const { told: made } = await execute(ctxOf(c), AckAgentCommand, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  app.openapi({ ...routes.progress, middleware }, async (c) => {
    const input = given({ ...c.req.valid("json"), id: idOf(c.req.valid("param")) });
    const { told: made } = await execute(ctxOf(c), ReportAgentCommandProgress, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  app.openapi({ ...routes.result, middleware }, async (c) => {
    const { status, result, error } = c.req.valid("json");
    const input = given({ status: upper(status), result, error, id: idOf(c.req.valid("param")) });
    const { told: made } = await execute(ctxOf(c), ReportAgentCommandResult, { input });
    return c.json({ agent_command: agentCommandJson(made.agentCommand) }, 200);
  });
  return app;
}

function idOf({ id }: { id: string }): string {
  return toGlobalId("AgentCommand", id.toLowerCase());
}

/** What GET brings is delivered by it, and HEAD is to change nothing. @see RFC 9110, 9.2.1 */
async function refuseHead(c: Context<RestEnv>, next: Next): Promise<Response | void> {
  if (c.req.method !== "HEAD") return next();
  return refuse(new DomainError("method_not_allowed", "This path answers GET."), c, { allow: "GET" });
}

import { createRoute, z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { unchanged, validators } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded } from "./face.ts";
import { integer } from "./parameters.ts";
import { answer, bearerOrSession, notModified, problems } from "./responses.ts";
import { actor, anyJson, dateTime, lower, uuid } from "./shapes.ts";

const agentCommand = z
  .strictObject({
    id: uuid,
    agent_id: uuid,
    seq: z.int(),
    type: z.string(),
    params: anyJson,
    status: z.enum([
      "queued",
      "delivered",
      "acknowledged",
      "running",
      "succeeded",
      "failed",
      "rejected",
      "timed_out",
      "expired",
      "canceled",
    ]),
    priority: z.enum(["normal", "urgent"]),
    not_before: dateTime.nullable(),
    expires_at: dateTime,
    ack_timeout_s: z.int(),
    run_timeout_s: z.int(),
    delivery_attempts: z.int(),
    delivered_at: dateTime.nullable(),
    acknowledged_at: dateTime.nullable(),
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
    progress: z.number().nullable(),
    status_detail: z.string().nullable(),
    result: anyJson,
    error: anyJson,
    late: z.boolean(),
    issued_by: actor,
    batch_id: uuid.nullable(),
    task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    traceparent: z.string().nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("AgentCommand");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/agent_commands",
    tags: ["Agent commands"],
    summary: "List agent commands, newest first",
    security: bearerOrSession("agent_commands:read"),
    request: { query: z.object({ limit: integer({ min: 1, max: 100, default: 25 }) }) },
    responses: {
      200: answer("The newest commands", z.strictObject({ agent_commands: z.array(agentCommand) })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
};

const AgentCommandFields = graphql(`
  fragment AgentCommandFields on AgentCommand {
    id: uuid
    agent_id: agentUuid
    seq
    type
    params
    status
    priority
    not_before: notBefore
    expires_at: expiresAt
    ack_timeout_s: ackTimeoutSeconds
    run_timeout_s: runTimeoutSeconds
    delivery_attempts: deliveryAttempts
    delivered_at: deliveredAt
    acknowledged_at: acknowledgedAt
    started_at: startedAt
    finished_at: finishedAt
    progress
    status_detail: statusDetail
    result
    error
    late
    issued_by: issuedBy {
      type
      id: uuid
      name
    }
    batch_id: batchId
    task_id: taskUuid
    mission_id: missionUuid
    traceparent
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

const ListAgentCommands = graphql(
  `
    query ListAgentCommands($limit: Int!) {
      agentCommands(first: $limit) {
        version
        nodes {
          ...AgentCommandFields
        }
      }
    }
  `,
  [AgentCommandFields],
);

/** The routes of /api/v1/operator/agent_commands. */
export function agentCommandRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guarded(services, { scope: "agent_commands:read", session: true });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const same = await unchanged(c, services.build, "AGENT_COMMANDS");
    if (same !== null) return same;
    const { agentCommands } = await execute(ctxOf(c), ListAgentCommands, c.req.valid("query"));
    const headers = validators(c, services.build, agentCommands.version);
    return c.json({ agent_commands: agentCommands.nodes.map(agentCommandJson) }, 200, headers);
  });
  return app;
}

function agentCommandJson(row: ResultOf<typeof AgentCommandFields>) {
  const { issued_by: by, status, priority } = row;
  return {
    ...row,
    status: lower(status),
    priority: lower(priority),
    issued_by: { ...by, type: lower(by.type) },
  };
}

import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { integer, limitParameter } from "../shared/parameters.ts";
import { jsonResponse, bearerOrSession, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { anyJson, dateTime, uuid } from "../shared/shapes.ts";

const cursor = z.string().openapi({
  description: "Opaque.",
  example: "djEuMWE3ODlhNGYtMjQ3Ni00OWY5LWE5ZDEtNDUwY2U5ZjYxZjA1Ljk3ODI",
});

const event = z
  .strictObject({
    cursor,
    seq: z.int().openapi({
      description:
        "Position in the workspace's event log. Numbers are missing where events are filtered out or not visible to you.",
    }),
    id: uuid.openapi({ description: "Unique. Use it to detect duplicates." }),
    type: z.string(),
    subject_type: z.string(),
    subject_id: uuid,
    agent_id: uuid.nullable(),
    actor,
    data: anyJson,
    traceparent: z.string().nullable(),
    occurred_at: dateTime,
  })
  .openapi("Event");

const routes = {
  list: createRoute({
    method: "get",
    path: "/events",
    tags: ["Events"],
    summary: "Read events after a cursor, oldest first, optionally waiting for the next",
    description:
      "An agent receives only events about what its other scopes let it read: about tasks with `tasks:read`, and so on. Events about credentials and sessions are for admins only.",
    security: bearerOrSession("events:read"),
    request: {
      query: z.strictObject({
        after: cursor
          .optional()
          .openapi({ description: "`next_after` of an earlier response. Default: events from now on." }),
        types: z.string().optional().openapi({
          description: "Comma-separated event types. `task.*` matches all types that start with `task.`.",
        }),
        subject: uuid.optional().openapi({ description: "Only events about this resource or agent." }),
        limit: limitParameter(LIMITS.eventsPage),
        wait: integer(LIMITS.waitSeconds).openapi({
          description: "Maximum seconds to wait for an event.",
        }),
      }),
    },
    responses: {
      200: jsonResponse(
        "Events. Empty if there were none until the wait ended",
        z.strictObject({ events: z.array(event), next_after: cursor }),
      ),
      ...problems("invalid_parameter", 401, 403, 410),
    },
  }),
};

const ListEvents = graphql(
  `
    query ListEvents($after: Cursor, $types: [String!], $subject: ID, $first: Int!, $waitSeconds: Int!) {
      eventsPage(after: $after, types: $types, subject: $subject, first: $first, waitSeconds: $waitSeconds) {
        cursor
        events {
          cursor
          seq
          id
          type
          subject_type: subjectType
          subject_id: subjectUuid
          agent_id: agentUuid
          actor {
            ...ActorFields
          }
          data
          traceparent
          occurred_at: occurredAt
        }
      }
    }
  `,
  [ActorFields],
);

/** The routes of /api/v1/events. */
export function eventRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "events:read", session: true });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { after, types, subject, limit, wait } = c.req.valid("query");
    const asked = {
      after: after ?? null,
      types: types?.split(",").map((type) => type.trim()) ?? null,
      subject: subject ?? null,
      first: limit,
      waitSeconds: wait,
    };
    const { eventsPage } = await execute(getCtx(c), ListEvents, asked).catch(refuseParameter);
    const events = eventsPage.events.map(eventJson);
    return c.json({ events, next_after: eventsPage.cursor }, 200, { "cache-control": "no-store" });
  });
  return app;
}

/** Reports invalid input as an error of the query. */
function refuseParameter(error: unknown): never {
  if (error instanceof DomainError && error.code === "validation_failed") {
    throw new DomainError("invalid_parameter", error.message, error.details);
  }
  throw error;
}

type Row = ResultOf<typeof ListEvents>["eventsPage"]["events"][number];

function eventJson({ actor: by, ...row }: Row) {
  return { ...row, actor: actorJson(by) };
}

import { createRoute, z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { unchanged, validators } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded } from "./face.ts";
import { answer, bearerOrSession, notModified, problems } from "./responses.ts";
import { actor, anyJson, dateTime, lower, uuid } from "./shapes.ts";

const mission = z
  .strictObject({
    id: uuid,
    title: z.string(),
    kind: z.enum(["transport", "inspection", "patrol", "dock", "custom"]),
    robot_id: uuid.nullable(),
    selector: anyJson,
    min_battery: z.number().nullable(),
    priority: z.int(),
    status: z.enum([
      "pending",
      "assigned",
      "running",
      "paused",
      "completed",
      "failed",
      "canceled",
      "expired",
    ]),
    progress: z.number(),
    estimated_duration_s: z.int().nullable(),
    deadline_at: dateTime.nullable(),
    cancel_requested_at: dateTime.nullable(),
    error: anyJson,
    task_id: uuid.nullable(),
    context_id: uuid.nullable(),
    trace_id: z.string().nullable(),
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
  })
  .openapi("Mission");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/missions",
    tags: ["Missions"],
    summary: "List all missions, newest first",
    security: bearerOrSession("missions:read"),
    responses: {
      200: answer("Every mission", z.strictObject({ missions: z.array(mission) })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
};

const MissionFields = graphql(`
  fragment MissionFields on Mission {
    id: uuid
    title
    kind
    robot_id: robotUuid
    selector
    min_battery: minBatteryPercent
    priority
    status
    progress
    estimated_duration_s: estimatedDurationSeconds
    deadline_at: deadlineAt
    cancel_requested_at: cancelRequestedAt
    error
    task_id: taskUuid
    context_id: contextId
    trace_id: traceId
    created_by: createdBy {
      type
      id: uuid
      name
    }
    generation
    created_at: createdAt
    updated_at: updatedAt
    started_at: startedAt
    finished_at: finishedAt
  }
`);

const ListMissions = graphql(
  `
    query ListMissions {
      missions(all: true) {
        version
        nodes {
          ...MissionFields
        }
      }
    }
  `,
  [MissionFields],
);

/** The routes of /api/v1/operator/missions. */
export function missionRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi(
    { ...routes.list, middleware: guarded(services, { scope: "missions:read", session: true }) },
    async (c) => {
      const same = await unchanged(c, services.build, "MISSIONS");
      if (same !== null) return same;
      const { missions } = await execute(ctxOf(c), ListMissions, {});
      const headers = validators(c, services.build, missions.version);
      return c.json({ missions: missions.nodes.map(missionJson) }, 200, headers);
    },
  );
  return app;
}

function missionJson(row: ResultOf<typeof MissionFields>) {
  const { created_by: by, kind, status } = row;
  return {
    ...row,
    kind: lower(kind),
    status: lower(status),
    created_by: { ...by, type: lower(by.type) },
  };
}

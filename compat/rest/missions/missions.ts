import { z } from "@hono/zod-openapi";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed, answerIfUnchanged, buildValidators } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import {
  MISSION_KINDS,
  MissionFields,
  STEP_TYPES,
  WholeMissionFields,
  mission,
  missionJson,
  wholeMission,
  wholeMissionJson,
} from "./mission-shape.ts";
import { idParameter, poll, toPollInput } from "../shared/parameters.ts";
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
  handle,
  jsonObject,
  labels,
  newDateTime,
  nodeId,
  numberWithin,
  text,
  toGraphqlEnum,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";
import { getNextCursor, streamWholeList } from "../shared/whole-list.ts";

const { min: fewest, max: most } = LIMITS.missionSteps;

const newMission = z
  .strictObject({
    title: text(LIMITS.titleLength),
    kind: z.enum(MISSION_KINDS),
    robot_id: uuid.nullish().openapi({ description: "The robot to assign." }),
    selector: z
      .strictObject({
        kind: z.enum(["robot"]).nullish(),
        fleet: text(LIMITS.nameLength).nullish(),
        labels: labels.nullish().openapi({ type: ["object", "null"] }),
      })
      .nullish()
      .openapi({
        description:
          "Instead of `robot_id`: any robot of this fleet, with all of these labels, or both. Default: any robot.",
      }),
    steps: z
      .array(
        z.strictObject({
          key: handle,
          type: z.enum(STEP_TYPES),
          params: jsonObject(LIMITS.missionStepsBytes).optional(),
        }),
      )
      .min(fewest)
      .max(most),
    priority: wholeNumber(LIMITS.priority).optional(),
    min_battery: numberWithin(LIMITS.percent).nullish(),
    estimated_duration_s: wholeNumber(LIMITS.durationSeconds).nullish(),
    deadline_at: newDateTime.nullish(),
    task_id: uuid.nullish(),
    context_id: uuid.nullish(),
  })
  .openapi("NewMission");

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/missions",
    tags: ["Missions"],
    summary: "List all missions, newest first",
    security: bearerOrSession("missions:read"),
    request: { query: z.object({}) },
    responses: {
      200: jsonResponse("Every mission", z.strictObject({ missions: z.array(mission) })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
  create: createRoute({
    method: "post",
    path: "/operator/missions",
    tags: ["Missions"],
    summary: "Create a mission and assign it to the next free robot",
    description:
      "A robot is free if it is online, active, in automatic or semiautomatic mode, accepts missions and has none. If several are free, the one with the fewest missions waiting for it is chosen. If policies ask people, the mission is `awaiting_approval` first. Its plan (`title`, `kind`, `priority`, `deadline_at`, `steps`) is what policies and people see as arguments.",
    security: bearerOrSession("missions:write"),
    request: createBody(newMission),
    responses: {
      201: jsonResponse("The mission", z.strictObject({ mission: wholeMission })),
      ...problems(
        ...IDEMPOTENT,
        401,
        403,
        "quota_exceeded",
        "emergency_stop",
        "policy_denied",
        413,
        415,
        422,
      ),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/missions/{id}",
    tags: ["Missions"],
    summary: "Read a mission with its steps, optionally waiting for a change",
    security: bearer("missions:read"),
    request: {
      params: idParameter,
      query: poll,
    },
    responses: {
      200: jsonResponse("The mission", z.strictObject({ mission: wholeMission })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 404),
    },
  }),
};

const ListMissions = graphql(
  `
    query ListMissions($after: String) {
      missions(all: true, after: $after) {
        version
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...MissionFields
        }
      }
    }
  `,
  [MissionFields],
);

const CreateMission = graphql(
  `
    mutation CreateMission($input: CreateMissionInput!) {
      createMission(input: $input) {
        mission {
          ...WholeMissionFields
        }
      }
    }
  `,
  [WholeMissionFields],
);

const ReadMission = graphql(
  `
    query ReadMission($id: ID!, $currentGeneration: Int, $waitSeconds: Int) {
      mission(id: $id, currentGeneration: $currentGeneration, waitSeconds: $waitSeconds) {
        ...WholeMissionFields
      }
    }
  `,
  [WholeMissionFields],
);

/** The routes to list, read and create missions. */
export function missionRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const list = guardRoute(services, { scope: "missions:read", session: true });
  app.openapi({ ...routes.list, middleware: list }, async (c) => {
    const same = await answerIfUnchanged(c, services.build, { of: "MISSIONS" });
    if (same !== null) return same;
    const ctx = getCtx(c);
    const first = await readMissions(ctx, null);
    const headers = buildValidators(c, services.build, first.version);
    return first.next === null
      ? c.json({ missions: first.rows }, 200, headers)
      : streamWholeList(c, {
          name: "missions",
          first,
          readPage: (after) => readMissions(ctx, after),
          headers,
        });
  });
  const write = guardRouteWithBody(services, { scope: "missions:write", session: true, idempotent: true });
  app.openapi({ ...routes.create, middleware: write }, async (c) => {
    const input = missionInput(c.req.valid("json"));
    const { createMission } = await execute(getCtx(c), CreateMission, { input });
    const made = wholeMissionJson(createMission.mission);
    return c.json({ mission: made }, 201, { location: `/api/v1/missions/${made.id}` });
  });
  const read = guardRoute(services, { scope: "missions:read" });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Mission", c.req.valid("param").id.toLowerCase());
    const asked = { id, ...toPollInput(c.req.valid("query")) };
    const { mission: found } = await execute(getCtx(c), ReadMission, asked);
    return answerHashed(c, { mission: wholeMissionJson(found) }, found.generation);
  });
  return app;
}

async function readMissions(ctx: Ctx, after: string | null) {
  const { nodes, pageInfo, version } = (await execute(ctx, ListMissions, { after })).missions;
  return { rows: nodes.map(missionJson), next: getNextCursor(pageInfo), version };
}

function missionInput(body: z.output<typeof newMission>) {
  const { selector } = body;
  return omitUndefined({
    title: body.title,
    kind: toGraphqlEnum(body.kind),
    robotId: nodeId("Robot", body.robot_id),
    selector: selector
      ? omitUndefined({ ...selector, kind: selector.kind ? toGraphqlEnum(selector.kind) : null })
      : null,
    steps: body.steps.map((step) => omitUndefined({ ...step, type: toGraphqlEnum(step.type) })),
    priority: body.priority,
    minBatteryPercent: body.min_battery,
    estimatedDurationSeconds: body.estimated_duration_s,
    deadlineAt: body.deadline_at,
    taskId: nodeId("Task", body.task_id),
    contextId: body.context_id,
  });
}

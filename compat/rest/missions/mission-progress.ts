import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { readGenerations } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { STEP_STATUSES, WholeMissionFields, wholeMission, wholeMissionJson } from "./mission-shape.ts";
import { idParameter } from "../shared/parameters.ts";
import { jsonResponse, bearer, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { anyJson, createBody, omitUndefined, handle, toGraphqlEnum, wholeNumber } from "../shared/shapes.ts";

const progress = z
  .strictObject({
    steps: z
      .array(
        z.strictObject({
          key: handle,
          status: z.enum(STEP_STATUSES).openapi({ description: "Only operators can set `skipped`." }),
          result: anyJson.optional(),
          error: anyJson.optional().openapi({
            description: "For a failed or retriable step, such as `type`, `level` and `detail`.",
          }),
        }),
      )
      .max(LIMITS.missionSteps.max)
      .optional()
      .openapi({ description: "The changed steps, or all." }),
    status: z
      .enum(["running", "paused", "completed", "failed", "canceled"])
      .nullish()
      .openapi({ description: "Optional: the mission completes or fails with its steps." }),
    generation: wholeNumber({ min: 1, max: LIMITS.wholeNumber }).nullish().openapi({
      description: "The mission's generation that the robot knows. If it has changed, the response is 412.",
    }),
  })
  .openapi("MissionProgress");

const routes = {
  report: createRoute({
    method: "post",
    path: "/missions/{id}/progress",
    tags: ["Missions"],
    summary: "Report progress of a mission as its robot",
    description:
      "The first report starts the mission. Repeating a report changes nothing. On 409, stop: the mission is finished or was assigned to another robot.",
    security: bearer("missions:report"),
    request: { params: idParameter, ...createBody(progress) },
    responses: {
      200: jsonResponse("The mission", z.strictObject({ mission: wholeMission })),
      ...problems(400, 401, 403, 404, "invalid_state", 412, 413, 415, 422),
    },
  }),
};

const ReportMissionProgress = graphql(
  `
    mutation ReportMissionProgress($input: ReportMissionProgressInput!) {
      reported: reportMissionProgress(input: $input) {
        mission {
          ...WholeMissionFields
        }
      }
    }
  `,
  [WholeMissionFields],
);

/** The route for robots to report on their missions. */
export function missionProgressRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "missions:report" });
  app.openapi({ ...routes.report, middleware }, async (c) => {
    const id = toGlobalId("Mission", c.req.valid("param").id.toLowerCase());
    const { steps, status, generation } = c.req.valid("json");
    const input = omitUndefined({
      id,
      steps: steps?.map((step) => omitUndefined({ ...step, status: toGraphqlEnum(step.status) })),
      status: status ? toGraphqlEnum(status) : undefined,
      ifGeneration: generation ? [generation] : readGenerations(c),
    });
    const { reported } = await execute(getCtx(c), ReportMissionProgress, { input });
    return c.json({ mission: wholeMissionJson(reported.mission) }, 200);
  });
  return app;
}

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../src/domain/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { generationsOf } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guardedWithBody } from "./face.ts";
import { STEP_STATUSES, WholeMissionFields, wholeMission, wholeMissionJson } from "./mission-shape.ts";
import { byId } from "./parameters.ts";
import { answer, bearer, problems } from "./responses.ts";
import { createRoute } from "./route.ts";
import { anyJson, bodyOf, given, handle, upper, wholeNumber } from "./shapes.ts";

const progress = z
  .strictObject({
    steps: z
      .array(
        z.strictObject({
          key: handle,
          status: z.enum(STEP_STATUSES).openapi({ description: "`skipped` is for operators to say." }),
          result: anyJson.optional(),
          error: anyJson.optional().openapi({
            description: "Of a failed or retriable step, such as `type`, `level` and `detail`.",
          }),
        }),
      )
      .max(LIMITS.missionSteps.max)
      .optional()
      .openapi({ description: "Those that have changed, or all." }),
    status: z
      .enum(["running", "paused", "completed", "failed", "canceled"])
      .nullish()
      .openapi({ description: "Not needed: the mission completes or fails with its steps." }),
    generation: wholeNumber({ min: 1, max: LIMITS.wholeNumber })
      .nullish()
      .openapi({ description: "What the robot knows of the mission; 412 where it is of another one." }),
  })
  .openapi("MissionProgress");

const routes = {
  report: createRoute({
    method: "post",
    path: "/missions/{id}/progress",
    tags: ["Missions"],
    summary: "Tell how the mission stands that the calling robot was given",
    description:
      "The first report starts it. The same report again changes nothing. 409 says that the mission is over, or at another robot: stop.",
    security: bearer("missions:report"),
    request: { params: byId, ...bodyOf(progress) },
    responses: {
      200: answer("The mission", z.strictObject({ mission: wholeMission })),
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

/** The route by which robots report on their missions. */
export function missionProgressRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardedWithBody(services, { scope: "missions:report" });
  app.openapi({ ...routes.report, middleware }, async (c) => {
    const id = toGlobalId("Mission", c.req.valid("param").id.toLowerCase());
    const { steps, status, generation } = c.req.valid("json");
    const input = given({
      id,
      steps: steps?.map((step) => given({ ...step, status: upper(step.status) })),
      status: status ? upper(status) : undefined,
      ifGeneration: generation ? [generation] : generationsOf(c),
    });
    const { reported } = await execute(ctxOf(c), ReportMissionProgress, { input });
    return c.json({ mission: wholeMissionJson(reported.mission) }, 200);
  });
  return app;
}

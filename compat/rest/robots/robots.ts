import { z } from "@hono/zod-openapi";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { idParameter } from "../shared/parameters.ts";
import { PRIVATE, answerHashed } from "../shared/conditional.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { jsonResponse, bearer, bearerOrSession, notModified, problems } from "../shared/responses.ts";
import { RobotFields, robot, robotJson } from "./robot-shape.ts";
import { createRoute } from "../shared/route.ts";
import { type WholeListPage, getNextCursor, streamWholeList } from "../shared/whole-list.ts";

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/robots",
    tags: ["Robots"],
    summary: "List all robots, newest first",
    security: bearerOrSession("robots:read"),
    request: { query: z.object({}) },
    responses: {
      200: jsonResponse("Every robot", z.strictObject({ robots: z.array(robot) })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/robots/{id}",
    tags: ["Robots"],
    summary: "Read a robot",
    security: bearer("robots:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The robot", z.strictObject({ robot })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const ListRobots = graphql(
  `
    query ListRobots($after: String) {
      robots(all: true, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...RobotFields
        }
      }
    }
  `,
  [RobotFields],
);

const ReadRobot = graphql(
  `
    query ReadRobot($id: ID!) {
      robot(id: $id) {
        ...RobotFields
      }
    }
  `,
  [RobotFields],
);

/** The routes to read robots. */
export function robotRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi(
    { ...routes.list, middleware: guardRoute(services, { scope: "robots:read", session: true }) },
    async (c) => {
      const ctx = getCtx(c);
      const first = await readRobots(ctx, null);
      return first.next === null
        ? answerHashed(c, { robots: first.rows })
        : streamWholeList(c, {
            name: "robots",
            first,
            readPage: (after) => readRobots(ctx, after),
            headers: PRIVATE,
          });
    },
  );
  app.openapi({ ...routes.read, middleware: guardRoute(services, { scope: "robots:read" }) }, async (c) => {
    const id = toGlobalId("Robot", c.req.valid("param").id.toLowerCase());
    const { robot: found } = await execute(getCtx(c), ReadRobot, { id });
    return answerHashed(c, { robot: robotJson(found) });
  });
  return app;
}

async function readRobots(ctx: Ctx, after: string | null): Promise<WholeListPage> {
  const { nodes, pageInfo } = (await execute(ctx, ListRobots, { after })).robots;
  return { rows: nodes.map(robotJson), next: getNextCursor(pageInfo) };
}

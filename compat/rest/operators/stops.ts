import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { idParameter } from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, labels, reason, uuid, wholeNumber } from "../shared/shapes.ts";
import { StopFields, stop, stopJson } from "./stop-shape.ts";

const resume = z
  .strictObject({
    agents: z
      .strictObject({
        ids: z.array(uuid).min(1).max(LIMITS.resumedAgents).optional(),
        labels: labels.optional(),
        percent: wholeNumber(LIMITS.resumedPercent).optional().openapi({
          description: "The same agents each time, and with a larger number more.",
        }),
      })
      .openapi({ description: "One of `ids`, `labels` and `percent`." }),
    reason,
  })
  .openapi("ResumeAgents");

const release = z.strictObject({ reason }).openapi("ReleaseStop");

const found = jsonResponse("The stop", z.strictObject({ stop }));

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/stops",
    tags: ["Operators"],
    summary: "List the stops that stand, oldest first",
    description: "Several may cover an agent, which goes on when none does.",
    security: bearerOrSession("agents:read"),
    responses: {
      200: jsonResponse("The stops", z.strictObject({ stops: z.array(stop) })),
      ...problems(400, 401, 403),
    },
  }),
  resume: createRoute({
    method: "post",
    path: "/operator/stops/{id}/resume",
    tags: ["Operators"],
    summary: "Resume some agents of a stop",
    description:
      "The stop no longer covers them; the others stay stopped. Repeat it for the next stage. Requires the role admin.",
    security,
    request: { params: idParameter, ...createBody(resume) },
    responses: { 200: found, ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422) },
  }),
  release: createRoute({
    method: "post",
    path: "/operator/stops/{id}/release",
    tags: ["Operators"],
    summary: "Release a stop",
    description: "Its agents go on unless another stop covers them. Requires the role admin.",
    security,
    request: { params: idParameter, ...createBody(release) },
    responses: { 200: found, ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422) },
  }),
};

const ListStops = graphql(
  `
    query ListStops {
      stops {
        ...StopFields
      }
    }
  `,
  [StopFields],
);

const ResumeAgents = graphql(
  `
    mutation ResumeAgents($input: ResumeAgentsInput!) {
      resumeAgents(input: $input) {
        stop {
          ...StopFields
        }
      }
    }
  `,
  [StopFields],
);

const ReleaseStop = graphql(
  `
    mutation ReleaseStop($id: ID!, $reason: String!) {
      releaseStop(input: { id: $id, reason: $reason }) {
        stop {
          ...StopFields
        }
      }
    }
  `,
  [StopFields],
);

/** The routes of the stops that stand. */
export function stopRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { session: true });
  app.openapi(
    { ...routes.list, middleware: guardRoute(services, { scope: "agents:read", session: true }) },
    async (c) => {
      const { stops } = await execute(getCtx(c), ListStops, {});
      return c.json({ stops: stops.map(stopJson) }, 200);
    },
  );
  app.openapi({ ...routes.resume, middleware }, async (c) => {
    const { agents, reason: because } = c.req.valid("json");
    const { ids = null, labels: named = null, percent = null } = agents;
    const { resumeAgents } = await execute(getCtx(c), ResumeAgents, {
      input: {
        id: toGlobalId("Stop", c.req.valid("param").id),
        agents: { ids: ids && ids.map((id) => toGlobalId("Agent", id)), labels: named, percent },
        reason: because,
      },
    });
    return c.json({ stop: stopJson(resumeAgents.stop) }, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const { releaseStop } = await execute(getCtx(c), ReleaseStop, {
      id: toGlobalId("Stop", c.req.valid("param").id),
      ...c.req.valid("json"),
    });
    return c.json({ stop: stopJson(releaseStop.stop) }, 200);
  });
  return app;
}

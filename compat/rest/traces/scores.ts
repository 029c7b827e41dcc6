import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { answerHashed } from "../shared/conditional.ts";
import { bearer, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import {
  dateTime,
  numberWithin,
  omitUndefined,
  text,
  toGraphqlEnum,
  toWireEnum,
  uuid,
} from "../shared/shapes.ts";
import { spanId, traceId, traceParameter } from "./trace-shape.ts";

const KINDS = ["code", "llm"] as const;

const label = text(LIMITS.labelLength);

const newScore = z
  .strictObject({
    span_id: spanId.nullish().openapi({ description: "Default: the whole trace." }),
    name: label.openapi({ description: "What is judged." }),
    value: numberWithin(LIMITS.scoreValue).nullish(),
    label: label.nullish().openapi({ description: "Required without a value." }),
    comment: text(LIMITS.textLength).nullish(),
    annotator_kind: z
      .enum(KINDS)
      .optional()
      .openapi({ description: "A program (the default), or a model that judges." }),
  })
  .openapi("NewTraceScore");

const score = z
  .strictObject({
    id: uuid,
    trace_id: traceId,
    span_id: spanId.nullable(),
    name: z.string(),
    value: z.number().nullable(),
    label: z.string().nullable(),
    comment: z.string().nullable(),
    annotator_kind: z.enum(["human", ...KINDS]),
    given_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("TraceScore", { description: "What somebody thinks of a trace, or of one of its spans." });

const routes = {
  list: createRoute({
    method: "get",
    path: "/traces/{trace_id}/scores",
    tags: ["Traces"],
    summary: "List the scores of a trace, oldest first",
    security: bearer("traces:read"),
    request: { params: traceParameter },
    responses: {
      200: jsonResponse("The scores", z.strictObject({ scores: z.array(score) })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
  give: createRoute({
    method: "post",
    path: "/traces/{trace_id}/scores",
    tags: ["Traces"],
    summary: "Give a trace a score, or replace yours of that name",
    security: bearer("traces:write"),
    request: {
      params: traceParameter,
      body: { content: { "application/json": { schema: newScore } }, required: true },
    },
    responses: {
      200: jsonResponse("The score", z.strictObject({ score })),
      ...problems("invalid_body", 401, 403, 404, 413, 415, 422),
    },
  }),
};

const ScoreFields = graphql(
  `
    fragment ScoreFields on TraceScore {
      id: uuid
      trace_id: traceId
      span_id: spanId
      name
      value
      label
      comment
      annotator_kind: annotatorKind
      given_by: givenBy {
        ...ActorFields
      }
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

const ListScores = graphql(
  `
    query ListScores($traceId: String!) {
      trace(traceId: $traceId) {
        scores {
          ...ScoreFields
        }
      }
    }
  `,
  [ScoreFields],
);

const GiveScore = graphql(
  `
    mutation GiveScore($input: ScoreTraceInput!) {
      scoreTrace(input: $input) {
        score {
          ...ScoreFields
        }
      }
    }
  `,
  [ScoreFields],
);

/** The routes for scores of traces. */
export function scoreRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "traces:read" });
  const give = guardRouteWithBody(services, { scope: "traces:write" });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { trace } = await execute(getCtx(c), ListScores, { traceId: c.req.valid("param").trace_id });
    return answerHashed(c, { scores: trace.scores.map(scoreJson) });
  });
  app.openapi({ ...routes.give, middleware: give }, async (c) => {
    const { span_id: span, annotator_kind: kind, ...given } = c.req.valid("json");
    const input = omitUndefined({
      ...given,
      traceId: c.req.valid("param").trace_id,
      spanId: span,
      ...(kind !== undefined && { annotatorKind: toGraphqlEnum(kind) }),
    });
    const { scoreTrace } = await execute(getCtx(c), GiveScore, { input });
    return c.json({ score: scoreJson(scoreTrace.score) }, 200);
  });
  return app;
}

/** Converts a score to the REST shape. */
function scoreJson({ given_by: by, annotator_kind: kind, ...row }: ResultOf<typeof ScoreFields>) {
  return { ...row, annotator_kind: toWireEnum(kind), given_by: actorJson(by) };
}

import { z } from "@hono/zod-openapi";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { createFieldsError } from "../../../src/domain/kernel/field-errors.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { buildLinkHeader } from "../shared/parameters.ts";
import { bearer, bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { omitUndefined } from "../shared/shapes.ts";
import { toTraceFilter, toTracePagination, traceListQuery, tracePagination } from "./trace-page.ts";
import {
  type Skeleton,
  SpanFields,
  TraceFields,
  flag,
  listedSpan,
  listedSpansJson,
  span,
  spanId,
  spanJson,
  spanParameters,
  trace,
  traceJson,
  traceParameter,
} from "./trace-shape.ts";

/** Spans of a page. */
const SPANS = 5000;

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/traces",
    tags: ["Traces"],
    summary: "List traces, those that began to arrive last first",
    security: bearerOrSession("traces:read"),
    request: {
      query: traceListQuery,
    },
    responses: {
      200: jsonResponse(
        "A page of traces",
        z.strictObject({ traces: z.array(trace), pagination: tracePagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/traces/{trace_id}",
    tags: ["Traces"],
    summary: "Read a trace and its spans, 5,000 at once in the order of their ids",
    security: bearer("traces:read"),
    request: {
      params: traceParameter,
      query: z.strictObject({
        after: spanId.optional().openapi({ description: "`next` of the page before." }),
      }),
    },
    responses: {
      200: jsonResponse(
        "The trace",
        z.strictObject({
          trace,
          spans: z.array(listedSpan),
          next: spanId.nullable().openapi({ description: "`after` of the next page; null on the last one." }),
        }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 404),
    },
  }),
  readSpan: createRoute({
    method: "get",
    path: "/traces/{trace_id}/spans/{span_id}",
    tags: ["Traces"],
    summary: "Read a span with its attributes",
    security: bearer("traces:read"),
    request: {
      params: spanParameters,
      query: z.strictObject({
        content: flag.openapi({ description: "Whether to read prompts, answers and arguments too." }),
      }),
    },
    responses: {
      200: jsonResponse("The span", z.strictObject({ span })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 404),
    },
  }),
};

const ListTraces = graphql(
  `
    query ListTraces($limit: Int!, $offset: Int!, $after: String, $filter: TraceFilter) {
      traces(first: $limit, offset: $offset, after: $after, filter: $filter) {
        totalCount
        searchedUntil
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...TraceFields
        }
      }
    }
  `,
  [TraceFields],
);

const ReadTrace = graphql(
  `
    query ReadTrace($traceId: String!, $first: Int!, $after: String) {
      trace(traceId: $traceId) {
        ...TraceFields
        skeleton(first: $first, after: $after)
      }
    }
  `,
  [TraceFields],
);

const ReadSpan = graphql(
  `
    query ReadSpan($traceId: String!, $spanId: String!, $content: Boolean!) {
      trace(traceId: $traceId) {
        span(spanId: $spanId) {
          ...SpanFields
          content @include(if: $content) {
            input
            output
          }
        }
      }
    }
  `,
  [SpanFields],
);

/** The routes to read traces. */
export function traceRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const list = guardRoute(services, { scope: "traces:read", session: true });
  const read = guardRoute(services, { scope: "traces:read" });
  app.openapi({ ...routes.list, middleware: list }, async (c) => {
    const query = c.req.valid("query");
    const { limit, offset, cursor, ...given } = query;
    const variables = { limit, offset, ...(cursor !== undefined && { after: cursor }) };
    const asked = { ...variables, filter: toTraceFilter(query) };
    const { traces } = await execute(getCtx(c), ListTraces, asked).catch(refuseParameter);
    const place = toTracePagination(query, traces);
    c.header("link", buildLinkHeader(c.req.url, place, omitUndefined(given)));
    return answerHashed(c, { traces: traces.nodes.map(traceJson), pagination: place });
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const { trace_id: traceId } = c.req.valid("param");
    const { after } = c.req.valid("query");
    const variables = { traceId, first: SPANS, ...omitUndefined({ after }) };
    const { trace: found } = await execute(getCtx(c), ReadTrace, variables);
    const { skeleton, ...fields } = found;
    // The scalar's description says so.
    const columns = skeleton as Skeleton;
    return answerHashed(c, {
      trace: traceJson(fields),
      spans: listedSpansJson(columns),
      next: columns.next,
    });
  });
  app.openapi({ ...routes.readSpan, middleware: read }, async (c) => {
    const { trace_id: traceId, span_id: id } = c.req.valid("param");
    const content = c.req.valid("query").content === "true";
    const { trace: found } = await execute(getCtx(c), ReadSpan, { traceId, spanId: id, content });
    if (found.span === null) throw new DomainError("not_found", "There is no such span.");
    return answerHashed(c, { span: spanJson(found.span) });
  });
  return app;
}

/** Reports invalid input as an error of the query, which names the cursor otherwise. */
function refuseParameter(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== "validation_failed") throw error;
  const { errors = [] } = error.details;
  throw createFieldsError(
    "invalid_parameter",
    errors.map(({ field, detail }) => ({ field: field === "after" ? "cursor" : field, detail })),
  );
}

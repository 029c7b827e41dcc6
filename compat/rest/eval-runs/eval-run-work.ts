import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { idParameter } from "../shared/parameters.ts";
import { answerHashed } from "../shared/conditional.ts";
import { evalRunInput, newEvalRun } from "./eval-run-input.ts";
import { EvalRunFields, evalRun, evalRunJson } from "./eval-run-shape.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { IDEMPOTENT, jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, omitUndefined, noBody, reason, text } from "../shared/shapes.ts";

const cancellation = z.strictObject({ reason: reason.nullish() }).openapi("EvalRunCancellation");

const failure = z
  .strictObject({
    error: z.strictObject({
      code: text(LIMITS.errorCodeLength).optional(),
      message: text(LIMITS.textLength),
    }),
  })
  .openapi("EvalRunFailure");

const tags = ["Evaluation runs"];
const security = bearer("eval_runs:write");
const runResponses = {
  200: jsonResponse(
    "The run. Repeating the request returns the same response",
    z.strictObject({ eval_run: evalRun }),
  ),
  ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422),
};

const routes = {
  create: createRoute({
    method: "post",
    path: "/eval_runs",
    tags,
    summary: "Create an evaluation run",
    description: "A run without any report for 60 minutes fails with the error `stalled`.",
    security,
    request: createBody(newEvalRun),
    responses: {
      201: jsonResponse("The run", z.strictObject({ eval_run: evalRun })),
      ...problems(...IDEMPOTENT, 401, 403, "quota_exceeded", 413, 415, 422),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/eval_runs/{id}",
    tags,
    summary: "Read an evaluation run",
    security: bearer("eval_runs:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The run", z.strictObject({ eval_run: evalRun })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
  complete: createRoute({
    method: "post",
    path: "/eval_runs/{id}/complete",
    tags,
    summary: "Complete a run: evaluates its gate and freezes its results",
    security,
    request: { params: idParameter, ...noBody },
    responses: runResponses,
  }),
  cancel: createRoute({
    method: "post",
    path: "/eval_runs/{id}/cancel",
    tags,
    summary: "Cancel a run that has not finished",
    security,
    request: { params: idParameter, body: { content: { "application/json": { schema: cancellation } } } },
    responses: runResponses,
  }),
  fail: createRoute({
    method: "post",
    path: "/eval_runs/{id}/fail",
    tags,
    summary: "Report that a run can't be completed",
    security,
    request: { params: idParameter, ...createBody(failure) },
    responses: runResponses,
  }),
  promote: createRoute({
    method: "post",
    path: "/operator/eval_runs/{id}/promote_baseline",
    tags,
    summary: "Make a completed run the baseline of its suite",
    description: "Replaces the suite's current baseline. Requires the role operator.",
    // Users only: a bearer can't do this.
    security: [{ session: [] }],
    request: { params: idParameter, ...noBody },
    responses: runResponses,
  }),
};

const ReadEvalRun = graphql(
  `
    query ReadEvalRun($id: ID!) {
      evalRun(id: $id) {
        ...EvalRunFields
      }
    }
  `,
  [EvalRunFields],
);

const CreateEvalRun = graphql(
  `
    mutation CreateEvalRun($input: CreateEvalRunInput!) {
      made: createEvalRun(input: $input) {
        evalRun {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

const CompleteEvalRun = graphql(
  `
    mutation CompleteEvalRun($id: ID!) {
      ended: completeEvalRun(input: { id: $id }) {
        evalRun {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

const CancelEvalRun = graphql(
  `
    mutation CancelEvalRun($input: CancelEvalRunInput!) {
      ended: cancelEvalRun(input: $input) {
        evalRun {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

const FailEvalRun = graphql(
  `
    mutation FailEvalRun($input: FailEvalRunInput!) {
      ended: failEvalRun(input: $input) {
        evalRun {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

const PromoteEvalBaseline = graphql(
  `
    mutation PromoteEvalBaseline($id: ID!) {
      promoted: promoteEvalBaseline(input: { id: $id }) {
        evalRun {
          ...EvalRunFields
        }
      }
    }
  `,
  [EvalRunFields],
);

/** The routes to create and finish runs. */
export function evalRunWorkRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const scope = "eval_runs:write";
  const make = guardRouteWithBody(services, { scope, idempotent: true });
  app.openapi({ ...routes.create, middleware: make }, async (c) => {
    const { made } = await execute(getCtx(c), CreateEvalRun, { input: evalRunInput(c.req.valid("json")) });
    const run = evalRunJson(made.evalRun);
    return c.json({ eval_run: run }, 201, { location: `/api/v1/eval_runs/${run.id}` });
  });
  const read = guardRoute(services, { scope: "eval_runs:read" });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const { evalRun: run } = await execute(getCtx(c), ReadEvalRun, { id: toNodeId(c.req.valid("param")) });
    return answerHashed(c, { eval_run: evalRunJson(run) }, run.generation);
  });
  const write = guardRouteWithBody(services, { scope });
  app.openapi({ ...routes.complete, middleware: write }, async (c) => {
    const { ended: end } = await execute(getCtx(c), CompleteEvalRun, { id: toNodeId(c.req.valid("param")) });
    return c.json({ eval_run: evalRunJson(end.evalRun) }, 200);
  });
  app.openapi({ ...routes.cancel, middleware: write }, async (c) => {
    const input = omitUndefined({ id: toNodeId(c.req.valid("param")), reason: c.req.valid("json").reason });
    const { ended: end } = await execute(getCtx(c), CancelEvalRun, { input });
    return c.json({ eval_run: evalRunJson(end.evalRun) }, 200);
  });
  app.openapi({ ...routes.fail, middleware: write }, async (c) => {
    const input = { id: toNodeId(c.req.valid("param")), error: omitUndefined(c.req.valid("json").error) };
    const { ended: end } = await execute(getCtx(c), FailEvalRun, { input });
    return c.json({ eval_run: evalRunJson(end.evalRun) }, 200);
  });
  const person = guardRouteWithBody(services, { session: true });
  app.openapi({ ...routes.promote, middleware: person }, async (c) => {
    const { promoted } = await execute(getCtx(c), PromoteEvalBaseline, {
      id: toNodeId(c.req.valid("param")),
    });
    return c.json({ eval_run: evalRunJson(promoted.evalRun) }, 200);
  });
  return app;
}

function toNodeId({ id }: z.output<typeof idParameter>): string {
  return toGlobalId("EvalRun", id.toLowerCase());
}

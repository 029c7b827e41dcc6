import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { limitParameter } from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { dateTime, newDateTime, omitUndefined, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { dollars } from "../traces/trace-shape.ts";

const DIMENSIONS = ["workspace", "agent", "task", "model", "agent_model"] as const;
const PERIODS = ["hour", "day", "month", "all"] as const;

const usageSum = z
  .strictObject({
    start: dateTime
      .nullable()
      .openapi({ description: "When its period began. Null if it is of the whole time." }),
    agent_id: uuid.nullable(),
    task_id: uuid.nullable(),
    model: z.string().nullable().openapi({
      description: "Empty if spans don't say it, and for all after the first 100 models of a day.",
    }),
    calls: z.int(),
    input_tokens: z.int().openapi({ description: "Of whole prompts, also what was cached." }),
    cache_read_tokens: z.int(),
    cache_write_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: dollars,
    unpriced_calls: z.int().openapi({
      description: "Calls whose cost nobody knows, and which `cost_usd` does not have.",
    }),
    metrics: z
      .strictObject({
        input_tokens: z.int(),
        cache_read_tokens: z.int(),
        cache_write_tokens: z.int(),
        output_tokens: z.int(),
        cost_usd: dollars,
      })
      .openapi({
        description:
          "What agents' metrics say of the same, which is charged to nobody. `cost_usd` is 0 unless they say it.",
      }),
  })
  .openapi("UsageSum", { description: "What was charged for an agent, a task, a model or all." });

const route = createRoute({
  method: "get",
  path: "/operator/usage",
  tags: ["Usage"],
  summary: "Read what calls of models used, those that cost most first",
  security: bearerOrSession("traces:read"),
  request: {
    query: z.strictObject({
      by: z.enum(DIMENSIONS).default("workspace").openapi({ description: "By what it is summed." }),
      period: z.enum(PERIODS).default("all").openapi({ description: "Sums are of whole periods, in UTC." }),
      from: newDateTime
        .optional()
        .openapi({ description: "Required, but for the period `all`. At most 1,000 periods." }),
      to: newDateTime.optional().openapi({ description: "Required where `from` is." }),
      per_period: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "Whether each period has its own sums." }),
      limit: limitParameter(LIMITS.usageSums),
    }),
  },
  responses: {
    200: jsonResponse("The sums", z.strictObject({ usage: z.array(usageSum), has_more: z.boolean() })),
    304: notModified,
    ...problems("invalid_parameter", 401, 403, 422),
  },
});

const ReadUsage = graphql(`
  query ReadUsage(
    $dimension: UsageDimension!
    $period: UsagePeriod!
    $from: DateTime
    $to: DateTime
    $perPeriod: Boolean
    $first: Int
  ) {
    usage(
      dimension: $dimension
      period: $period
      from: $from
      to: $to
      perPeriod: $perPeriod
      first: $first
    ) {
      hasMore
      sums {
        start
        agent_id: agentUuid
        task_id: taskUuid
        model
        calls
        input_tokens: inputTokens
        cache_read_tokens: cacheReadTokens
        cache_write_tokens: cacheWriteTokens
        output_tokens: outputTokens
        cost_usd: costUsd
        unpriced_calls: unpricedCalls
        metrics {
          input_tokens: inputTokens
          cache_read_tokens: cacheReadTokens
          cache_write_tokens: cacheWriteTokens
          output_tokens: outputTokens
          cost_usd: costUsd
        }
      }
    }
  }
`);

/** The route to read usage. */
export function usageRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const guard = guardRoute(services, { scope: "traces:read", session: true });
  app.openapi({ ...route, middleware: guard }, async (c) => {
    const { by, period, from, to, per_period: perPeriod, limit } = c.req.valid("query");
    const { usage } = await execute(getCtx(c), ReadUsage, {
      dimension: toGraphqlEnum(by),
      period: toGraphqlEnum(period),
      perPeriod: perPeriod === "true",
      first: limit,
      ...omitUndefined({ from, to }),
    });
    return answerHashed(c, { usage: usage.sums, has_more: usage.hasMore });
  });
  return app;
}

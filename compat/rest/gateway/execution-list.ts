import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { buildLinkHeader, pageParameters, pagination, toPagination } from "../shared/parameters.ts";
import { type RestEnv, getCtx } from "../shared/rest-app.ts";
import { nodeId, omitUndefined, toGraphqlEnum } from "../shared/shapes.ts";
import { EXECUTION_STATUSES, ExecutionFields, execution, executionJson } from "./execution-shape.ts";

/** The query parameters of a list of executions. */
export const executionQuery = z.strictObject({
  ...pageParameters({ ...LIMITS.pageSize, min: 1 }, LIMITS.offset),
  status: z.enum(EXECUTION_STATUSES).optional().openapi({ description: "Only executions with this status." }),
});

/** A page of executions. */
export const executionPage = z.strictObject({
  executions: z.array(execution),
  count: z.int(),
  pagination,
});

const ListExecutions = graphql(
  `
    query ListExecutions($limit: Int!, $offset: Int!, $filter: ExecutionFilter) {
      executions(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...ExecutionFields
        }
      }
    }
  `,
  [ExecutionFields],
);

type Asked = z.output<typeof executionQuery> & { agent_id?: string | undefined };

/** Reads a page of executions. `link` builds its Link header, with the query's filters. */
export async function readExecutionPage(c: Context<RestEnv>, { limit, offset, status, ...rest }: Asked) {
  const filter = omitUndefined({
    status: status === undefined ? undefined : toGraphqlEnum(status),
    agentId: rest.agent_id === undefined ? undefined : nodeId("Agent", rest.agent_id),
  });
  const { executions } = await execute(getCtx(c), ListExecutions, { limit, offset, filter });
  const { nodes, totalCount: total, pageInfo } = executions;
  const count = nodes.length;
  const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, LIMITS.offset);
  return {
    page: { executions: nodes.map(executionJson), count, pagination: place },
    link: (filters: Record<string, string | undefined>) => buildLinkHeader(c.req.url, place, filters),
  };
}

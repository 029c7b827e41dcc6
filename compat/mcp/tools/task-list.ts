import { z } from "zod";
import { requireAgent } from "../../../src/domain/kernel/guard.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { handle, omitUndefined, wholeNumber } from "./shapes.ts";
import { TASK_STATUSES, TaskSummaryFields, taskJson, taskSummary } from "./task-shape.ts";

const ListTasks = graphql(
  `
    query ListTaskSummaries($limit: Int!, $offset: Int!, $filter: TaskFilter) {
      tasks(first: $limit, offset: $offset, filter: $filter) {
        total: totalCount
        nodes {
          ...TaskSummaryFields
        }
      }
    }
  `,
  [TaskSummaryFields],
);

export const taskList = createTool({
  name: "task_list",
  title: "List tasks",
  description:
    "Lists tasks of the workspace, newest first, without their inputs and outputs. Use task_claim to get work.",
  scopes: ["tasks:read"],
  effect: "reads",
  input: z.strictObject({
    status: z.enum(TASK_STATUSES).optional(),
    queue: handle.optional(),
    mine: z.boolean().optional().describe("Only tasks that you hold or were the last to hold."),
    limit: wholeNumber({ min: 1, max: LIMITS.pageSize.max }).default(20),
    offset: wholeNumber({ min: 0, max: LIMITS.offset }).default(0),
  }),
  output: z.object({
    tasks: z.array(taskSummary),
    total: z.int().nullable().describe("On all pages. Null for more than 10,000."),
  }),
  run: async ({ ctx }, { status, queue, mine, limit, offset }) => {
    const filter = omitUndefined({
      // toUpperCase() is Uppercase<> for the ASCII names of GraphQL enums.
      status: status?.toUpperCase() as Uppercase<NonNullable<typeof status>> | undefined,
      queue,
      claimedByAgentId: mine === true ? toGlobalId("Agent", requireAgent(ctx).id) : undefined,
    });
    const { tasks } = await execute(ctx, ListTasks, { limit, offset, filter });
    return { tasks: tasks.nodes.map(taskJson), total: tasks.total };
  },
});

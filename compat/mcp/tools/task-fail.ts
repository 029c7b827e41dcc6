import { z } from "zod";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { omitUndefined, text } from "./shapes.ts";
import { TaskSummaryFields, heldTask, taskJson, taskSummary, toHeldTask } from "./task-shape.ts";

const FailTask = graphql(
  `
    mutation FailHeldTask($input: FailTaskInput!) {
      settled: failTask(input: $input) {
        task {
          ...TaskSummaryFields
        }
      }
    }
  `,
  [TaskSummaryFields],
);

export const taskFail = createTool({
  name: "task_fail",
  title: "Fail a task",
  description:
    "Ends your attempt at a task that you hold. Unless retryable is false or no attempts are left, somebody tries again later. Repeating the call changes nothing.",
  scopes: ["tasks:work"],
  effect: "repeatable",
  input: z.strictObject({
    ...heldTask,
    message: text(LIMITS.textLength).describe("What went wrong."),
    code: text(LIMITS.errorCodeLength).optional(),
    retryable: z.boolean().optional(),
  }),
  output: z.object({ task: taskSummary }),
  run: async ({ ctx }, { message, code, retryable, ...held }) => {
    const error = omitUndefined({ message, code, retryable });
    const { settled } = await execute(ctx, FailTask, { input: { ...toHeldTask(held), error } });
    return { task: taskJson(settled.task) };
  },
});

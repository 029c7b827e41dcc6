import { z } from "zod";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { anyJson } from "./shapes.ts";
import { TaskSummaryFields, heldTask, taskJson, taskSummary, toHeldTask } from "./task-shape.ts";

const CompleteTask = graphql(
  `
    mutation CompleteHeldTask($input: CompleteTaskInput!) {
      settled: completeTask(input: $input) {
        task {
          ...TaskSummaryFields
        }
      }
    }
  `,
  [TaskSummaryFields],
);

export const taskComplete = createTool({
  name: "task_complete",
  title: "Complete a task",
  description: "Ends a task that you hold, with its output. Repeating the call changes nothing.",
  scopes: ["tasks:work"],
  effect: "repeatable",
  input: z.strictObject({ ...heldTask, output: anyJson.optional() }),
  output: z.object({ task: taskSummary }),
  run: async ({ ctx }, { output, ...held }) => {
    const { settled } = await execute(ctx, CompleteTask, { input: { ...toHeldTask(held), output } });
    return { task: taskJson(settled.task) };
  },
});

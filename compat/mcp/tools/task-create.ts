import { z } from "zod";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { withIdempotencyKey } from "../../../src/domain/kernel/with-idempotency-key.ts";
import { createTool } from "../tool.ts";
import { content, handle, omitUndefined, text, toParts, wholeNumber } from "./shapes.ts";
import { TaskSummaryFields, taskJson, taskSummary } from "./task-shape.ts";

const CreateTask = graphql(
  `
    mutation CreateQueuedTask($input: CreateTaskInput!) {
      made: createTask(input: $input) {
        task {
          ...TaskSummaryFields
        }
      }
    }
  `,
  [TaskSummaryFields],
);

export const taskCreate = createTool({
  name: "task_create",
  title: "Create a task",
  description: "Puts a task into a queue, for any agent that claims from it.",
  scopes: ["tasks:write"],
  effect: "writes",
  input: z.strictObject({
    title: text(LIMITS.titleLength),
    queue: handle.optional().describe("Default: default."),
    input: content.optional(),
    priority: wholeNumber(LIMITS.priority).optional().describe("Higher ones are claimed first. Default: 5."),
    idempotency_key: z
      .string()
      .optional()
      .describe("With the same key and arguments, the task is created once within 24 hours."),
  }),
  output: z.object({ task: taskSummary }),
  run: async ({ ctx }, { idempotency_key: key, input: given, ...fields }) => {
    const asked = { ...fields, input: given === undefined ? undefined : toParts(given) };
    const { made } = await withIdempotencyKey(ctx, { key, asked: { tool: "task_create", ...asked } }, () =>
      execute(ctx, CreateTask, { input: omitUndefined(asked) }),
    );
    return { task: taskJson(made.task) };
  },
});

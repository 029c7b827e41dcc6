import type { Client } from "urql";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import { type Bulk, runMutation } from "../../../ui/table/bulk/bulk-act.ts";
import { CreateTask } from "../form/create-task.ts";
import { CancelTask } from "../page/cancel-task.ts";
import { RetriedTask, toRetryInput } from "../page/retry-input.ts";
import { hasTaskEnded } from "../task-filter.ts";
import type { TaskRow } from "./task-rows.ts";

/** What can be done with several tasks. */
export const BULK_TASKS: Bulk<TaskRow> = {
  getName: ({ title }) => title,
  acts: [
    {
      label: "Cancel",
      done: "canceled or asked to stop",
      isDangerous: true,
      isPossible: ({ status, cancelRequestedAt }) => !hasTaskEnded(status) && cancelRequestedAt === null,
      consequences: [
        "Those that no agent works on are canceled at once.",
        "The agents of the others are asked to stop. After 30 seconds their tasks are canceled anyway, and work they have started elsewhere may continue.",
      ],
      run: (client, { id }, reason) => runMutation(client, CancelTask, { id, reason }),
    },
    {
      label: "Retry",
      done: "created again",
      isDangerous: false,
      isPossible: ({ status }) => hasTaskEnded(status),
      consequences: [
        "A new task with the same title, input and labels is created for each. These tasks don’t change.",
        "Of those that were completed, the work may be done twice.",
      ],
      run: retry,
    },
  ],
};

async function retry(client: Client, { id }: TaskRow): Promise<UserProblem | null> {
  const { data, error } = await client.query(RetriedTask, { id }).toPromise();
  if (error !== undefined) return toProblem(error);
  return data === undefined ? null : runMutation(client, CreateTask, { input: toRetryInput(data.task) });
}

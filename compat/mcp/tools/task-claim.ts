import { z } from "zod";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { WAIT_SECONDS, dateTime, handle, wholeNumber } from "./shapes.ts";
import { TaskFields, task, taskJson } from "./task-shape.ts";
import { waitInTurns } from "./wait-in-turns.ts";

const ClaimTask = graphql(
  `
    mutation ClaimNextTask($input: ClaimTaskInput!) {
      claimTask(input: $input) {
        task {
          ...WholeTaskFields
        }
        lease {
          token
          attempt
          expires_at: expiresAt
        }
      }
    }
  `,
  [TaskFields],
);

export const taskClaim = createTool({
  name: "task_claim",
  title: "Claim a task",
  description:
    "Claims the next task of the queues, so that nobody else works on it. Keep its lease: renew it with task_heartbeat before it expires, and end the task with task_complete or task_fail. Without a task to do, both are null.",
  scopes: ["tasks:work"],
  effect: "writes",
  input: z.strictObject({
    queues: z.array(handle).min(1).max(LIMITS.claimQueues),
    // Models can't send heartbeats while they think.
    lease_s: wholeNumber(LIMITS.leaseSeconds).default(LIMITS.leaseSeconds.max),
    wait_s: wholeNumber(WAIT_SECONDS).default(0).describe("How long to wait for a task, in seconds."),
  }),
  output: z.object({
    task: task.nullable(),
    lease: z
      .object({
        token: z.string().describe("Shown only here. Send it with every call about the task."),
        attempt: z.int(),
        expires_at: dateTime,
      })
      .nullable(),
  }),
  run: async ({ ctx }, { queues, lease_s: leaseSeconds, wait_s: seconds }) => {
    const { claimTask } = await waitInTurns(ctx, seconds, {
      poll: (waitSeconds) => execute(ctx, ClaimTask, { input: { queues, leaseSeconds, waitSeconds } }),
      isOver: (found) => found.claimTask.task !== null,
    });
    return { task: claimTask.task && taskJson(claimTask.task), lease: claimTask.lease };
  },
});

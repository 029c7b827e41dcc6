import { z } from "zod";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { dateTime, omitUndefined, text } from "./shapes.ts";
import { heldTask, toHeldTask } from "./task-shape.ts";

const HeartbeatTask = graphql(`
  mutation RenewLease($input: HeartbeatTaskInput!) {
    renewed: heartbeatTask(input: $input) {
      lease_expires_at: leaseExpiresAt
      cancel_requested: cancelRequested
      controlState
    }
  }
`);

const CONTROL_STATES = { ACTIVE: "active", PAUSED: "paused", STOPPED: "stopped" } as const;

export const taskHeartbeat = createTool({
  name: "task_heartbeat",
  title: "Keep a task",
  description:
    "Renews the lease of a task, and reports progress. If cancel_requested is true or control_state is not active, stop working on it and call task_fail.",
  scopes: ["tasks:work"],
  effect: "repeatable",
  input: z.strictObject({
    ...heldTask,
    progress: z.number().min(0).max(1).optional().describe("From 0 to 1."),
    status_message: text(LIMITS.textLength).optional(),
  }),
  output: z.object({
    lease_expires_at: dateTime.nullable().describe("Null while the task waits for an answer."),
    cancel_requested: z.boolean(),
    control_state: z.enum(CONTROL_STATES),
  }),
  run: async ({ ctx }, { progress, status_message: statusMessage, ...held }) => {
    const input = omitUndefined({ ...toHeldTask(held), progress, statusMessage });
    const { renewed } = await execute(ctx, HeartbeatTask, { input });
    const { controlState, ...rest } = renewed;
    return { ...rest, control_state: CONTROL_STATES[controlState] };
  },
});

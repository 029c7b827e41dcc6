import type { z } from "@hono/zod-openapi";
import { task } from "./task-shape.ts";

type TaskJson = z.output<typeof task>;

/** What of a task may be null: an example says only what it shows. */
const NULLS = Object.fromEntries(
  Object.entries(task.shape)
    .filter(([, shape]) => shape.safeParse(null).success)
    .map(([name]) => [name, null]),
);

/** A task that was just created. */
export const NEW_TASK = createTaskExample({
  id: "01a1fc84-37fd-73ac-a77e-af2416d62901",
  context_id: "01a1fc84-37ff-74ed-9fc7-3fff712a8990",
  title: "Refund order 42",
  queue: "billing",
  input: [{ text: "The customer sent it back unopened." }],
  priority: 7,
});

/** A task that an agent works on. */
export const CLAIMED_TASK: TaskJson = {
  ...NEW_TASK,
  status: "working",
  claimed_by_agent_id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
  attempt: 1,
  generation: 2,
  updated_at: "2026-11-21T05:11:31.204Z",
};

/** A task on the wire, waiting in its queue where `fields` say nothing else. */
export function createTaskExample(
  fields: Partial<TaskJson> & Pick<TaskJson, "id" | "context_id" | "title" | "queue" | "input">,
): TaskJson {
  const example = {
    ...NULLS,
    status: "submitted",
    priority: 5,
    artifacts: [],
    attempt: 0,
    max_attempts: 3,
    labels: {},
    metadata: {},
    created_by: { type: "agent", id: "01a1fc83-bb84-7424-8a64-b56aec5e29d9", name: "Primary agent" },
    generation: 1,
    created_at: "2026-11-21T05:11:25.952Z",
    updated_at: "2026-11-21T05:11:25.952Z",
    ...fields,
  };
  // In the order of the shape.
  return task.parse(example);
}

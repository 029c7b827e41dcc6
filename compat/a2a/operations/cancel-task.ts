import { z } from "zod";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { requireScope } from "../../../src/domain/kernel/guard.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { A2aError } from "../a2a-error.ts";
import type { Call } from "../operation.ts";
import { STATES, isTerminal } from "../protocol.ts";
import { readInput, readTaskId } from "./read-input.ts";
import { readTaskStatus, readWholeTask } from "./task-reads.ts";

const CancelTask = graphql(`
  mutation CancelPeerTask($id: ID!) {
    cancelTask(input: { id: $id }) {
      task {
        id
      }
    }
  }
`);

const shape = z.object({ id: z.string() });

/**
 * Cancels a task. One that somebody works on stays as it is until its holder has stopped, at most half a minute.
 *
 * @throws {A2aError} INVALID_PARAMS; TASK_NOT_FOUND; TASK_NOT_CANCELABLE for one that has ended.
 */
export async function cancelTask({ ctx, input }: Call): Promise<object> {
  requireScope(ctx, "tasks:write");
  const id = readTaskId(readInput(shape, input).id);
  const task = await readTaskStatus(ctx, id);
  if (isTerminal(task)) throw createEndedError(`The task has ended: ${STATES[task.status]}.`);
  try {
    await execute(ctx, CancelTask, { id: toGlobalId("Task", id) });
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid_state") throw createEndedError(error.message);
    throw error;
  }
  return readWholeTask(ctx, id);
}

function createEndedError(message: string): A2aError {
  return new A2aError("TASK_NOT_CANCELABLE", message);
}

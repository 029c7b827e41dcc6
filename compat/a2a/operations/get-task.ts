import { z } from "zod";
import type { Call } from "../operation.ts";
import { historyLength, readInput, readTaskId } from "./read-input.ts";
import { readWholeTask } from "./task-reads.ts";

const shape = z.object({ id: z.string(), historyLength });

/** @throws {A2aError} INVALID_PARAMS; TASK_NOT_FOUND. */
export async function getTask({ ctx, input }: Call): Promise<object> {
  const { id, historyLength: length } = readInput(shape, input);
  return readWholeTask(ctx, readTaskId(id), length);
}

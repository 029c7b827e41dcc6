import type { Services } from "../kernel/services.ts";
import { repeat } from "../sweeps/repeat.ts";
import { foldTaskSums } from "./fold-task-sums.ts";

const EVERY_MS = 20_000;

/**
 * Adds past minutes to the sums of tasks, three times a minute, and without a pause while there are many.
 *
 * @param now the time that decides which are past. Only in tests.
 */
export function startTaskSums(services: Services, now: Date | null): { stop: () => Promise<void> } {
  return repeat(services, {
    name: "task_sums",
    everyMs: EVERY_MS,
    run: async () => (await foldTaskSums(services, now)) > 0,
    failure: "tasks could not be added to their sums",
  });
}

import { constants, setPriority } from "node:os";

/**
 * Lets the other threads have most of the processor whenever they want it. Call it in a worker thread: on Linux priorities are
 * of threads; elsewhere, where they are of processes, nothing changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

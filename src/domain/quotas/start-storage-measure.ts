import type { Services } from "../kernel/services.ts";
import { repeat } from "../sweeps/repeat.ts";
import { measureStorage } from "./measure-storage.ts";

const EVERY_MS = 600_000;
/** How often a node looks whether another one does it. */
const LOOK_EVERY_MS = 60_000;

/** Measures how much workspaces store: every ten minutes, by one node. */
export function startStorageMeasure(services: Services): { stop: () => Promise<void> } {
  return repeat(services, {
    name: "storage",
    everyMs: LOOK_EVERY_MS,
    run: async () => {
      await measureStorage(services.database, { everyMs: EVERY_MS });
      return false;
    },
    failure: "the storage of workspaces could not be measured",
  });
}

import type { JobProfile } from "../scenarios/job-profile.ts";
import { JOB_PROFILES } from "../scenarios/job-profiles.ts";

/** `billing` is left to readers of the README; `fleet` is missions. */
const EXCLUDED_QUEUES: ReadonlySet<string> = new Set(["billing", "fleet"]);

/** The jobs that the simulator continues. */
export const OFFICE_JOB_PROFILES: readonly JobProfile[] = [...JOB_PROFILES.values()].filter(
  ({ queue }) => !EXCLUDED_QUEUES.has(queue),
);

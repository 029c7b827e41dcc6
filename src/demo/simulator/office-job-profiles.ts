import type { JobProfile } from "../scenarios/job-profile.ts";
import { JOB_PROFILES } from "../scenarios/job-profiles.ts";

/** `billing` is left to who follows the README; robots are sent out on errands. */
const EXCLUDED_QUEUES: ReadonlySet<string> = new Set(["billing", "fleet"]);

/** What software agents of the demo go on doing. */
export const OFFICE_JOB_PROFILES: readonly JobProfile[] = [...JOB_PROFILES.values()].filter(
  ({ queue }) => !EXCLUDED_QUEUES.has(queue),
);

import { BUSINESS_JOB_PROFILES } from "./business-job-profiles.ts";
import { CUSTOMER_JOB_PROFILES } from "./customer-job-profiles.ts";
import { ENGINEERING_JOB_PROFILES } from "./engineering-job-profiles.ts";
import type { JobProfile } from "./job-profile.ts";

/** The job profiles, by queue. */
export const JOB_PROFILES: ReadonlyMap<string, JobProfile> = new Map(
  [...CUSTOMER_JOB_PROFILES, ...BUSINESS_JOB_PROFILES, ...ENGINEERING_JOB_PROFILES].map((profile) => [
    profile.queue,
    profile,
  ]),
);

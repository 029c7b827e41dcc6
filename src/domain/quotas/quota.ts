import type { ExceededQuota } from "../kernel/errors.ts";

/** What the operator of the service can limit. */
export type QuotaName = Exclude<ExceededQuota["name"], "spans_per_day">;

/** How much of a quota is used. `limit`: null for no limit. */
export type Quota = {
  name: QuotaName;
  limit: number | null;
  used: number;
  /** When `used` was measured; null if it is exact. */
  measuredAt: Date | null;
};

/** The columns of the limits, and the largest that can be set. */
export const QUOTAS = {
  agents: { column: "agentQuota", max: 1_000_000 },
  tasks_per_day: { column: "taskQuota", max: 1_000_000_000 },
  events_per_second: { column: "eventQuota", max: 1_000_000 },
  storage_bytes: { column: "storageQuota", max: 2 ** 50 },
} as const satisfies Record<QuotaName, { column: string; max: number }>;

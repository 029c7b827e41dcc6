import { DomainError, type ExceededQuota } from "./errors.ts";

const REFUSED =
  /"quota_exceeded (agents|tasks_per_day|events_per_second|storage_bytes) (\d+) (\d+) (\d+|never)"/;

/** What a quota is of, for people. */
export const QUOTA_LABELS = {
  agents: "agents",
  tasks_per_day: "new tasks a day (UTC)",
  events_per_second: "events a second",
  storage_bytes: "bytes of storage",
  spans_per_day: "new spans a day (UTC)",
} as const satisfies Record<ExceededQuota["name"], string>;

/** The error of a statement that failed for a quota; null for any other error. @see QUOTA_SQL */
export function findQuotaError(error: unknown): DomainError | null {
  if (!(error instanceof Error)) return null;
  const [, name, limit, used, seconds] = REFUSED.exec(error.message) ?? [];
  if (name === undefined) return null;
  return createQuotaError({
    // The expression matches no other name.
    name: name as ExceededQuota["name"],
    limit: Number(limit),
    used: Number(used),
    resetsInSeconds: seconds === "never" ? null : Number(seconds),
  });
}

/** The error for a quota that is used up: rate_limited if that passes with time, else quota_exceeded. */
export function createQuotaError(quota: ExceededQuota): DomainError {
  const { name, limit, resetsInSeconds } = quota;
  const rule = `The workspace's quota is ${limit.toLocaleString("en")} ${QUOTA_LABELS[name]}.`;
  if (resetsInSeconds === null)
    return new DomainError("quota_exceeded", `${rule} ${ROOM[name] ?? ""}`.trim(), { quota });
  return new DomainError("rate_limited", `${rule} Try again in ${resetsInSeconds} s.`, {
    quota,
    retryAfterSeconds: resetsInSeconds,
  });
}

const ROOM: Partial<Record<ExceededQuota["name"], string>> = {
  agents: "Archive agents that are not needed, or ask who runs the service for more.",
  storage_bytes: "Keep things for fewer days, or ask who runs the service for more.",
};

import type { UsageDimension, UsagePeriod } from "../../db/generated/enums.ts";
import type { UsageCall } from "./usage-call.ts";

/** One sum, of all its parts. */
export type Bucket = { dimension: UsageDimension; period: UsagePeriod; key: string; start: Date };

const PERIODS: readonly UsagePeriod[] = ["hour", "day", "month", "all"];

type CountedCall = Pick<UsageCall, "agentId" | "taskId" | "model" | "isOtherModel" | "chargedAt">;

/** Lists the sums that a call counts in: at most 20, whatever it is. */
export function listBuckets(call: CountedCall): Bucket[] {
  const { agentId, taskId, chargedAt } = call;
  const model = call.isOtherModel ? "" : (call.model ?? "");
  const keys: [UsageDimension, string][] = [
    ["workspace", ""],
    ["agent", agentId],
    ["model", model],
    ["agent_model", `${agentId} ${model}`],
  ];
  if (taskId !== null) keys.push(["task", taskId]);
  return PERIODS.flatMap((period) => {
    const start = findPeriodStart(period, chargedAt);
    return keys.map(([dimension, key]) => ({ dimension, period, key, start }));
  });
}

/** Finds when a period in UTC began. */
export function findPeriodStart(period: UsagePeriod, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (period) {
    case "hour":
      return new Date(Date.UTC(year, month, day, at.getUTCHours()));
    case "day":
      return new Date(Date.UTC(year, month, day));
    case "month":
      return new Date(Date.UTC(year, month));
    case "all":
      return new Date(0);
  }
}

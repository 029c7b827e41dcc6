import { z } from "zod";
import { labels, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** Which robots may do a mission. */
export const robotRequirements = {
  selector: z
    .strictObject({
      kind: z.literal("robot", "must be robot").nullish(),
      fleet: text(LIMITS.nameLength).nullish(),
      labels: labels.nullish(),
    })
    .nullish()
    .transform(removeNulls),
  minBatteryPercent: z.number().min(LIMITS.percent.min).max(LIMITS.percent.max).nullish(),
};

/** @returns null if nothing is left. */
function removeNulls(selector: object | null | undefined): Record<string, string> | null {
  const named = Object.entries(selector ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return named.length === 0 ? null : Object.fromEntries(named);
}

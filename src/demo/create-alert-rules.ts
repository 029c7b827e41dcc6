import { createAlertRule } from "../domain/alerts/create-alert-rule.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { ignoreExisting } from "./ignore-existing.ts";

const HOUR_SECONDS = 3600;

const RULES: readonly Parameters<typeof createAlertRule>[1][] = [
  {
    name: "Work fails",
    description: "More than one task in five: look at what changed.",
    metric: "task_failure_rate",
    windowSeconds: HOUR_SECONDS,
    threshold: 0.2,
    forSeconds: 300,
  },
  {
    name: "Nobody answers",
    metric: "question_age",
    threshold: HOUR_SECONDS,
  },
  {
    name: "Costs of a day",
    metric: "cost_usd",
    windowSeconds: 24 * HOUR_SECONDS,
    threshold: 50,
  },
  {
    name: "A robot is gone",
    description: "Somebody has to walk there.",
    metric: "robots_offline",
    threshold: 0,
    forSeconds: 120,
  },
];

/** Creates the demo's alert rules, those that are missing. */
export async function createAlertRules(ctx: Ctx): Promise<void> {
  const known = new Set(
    (await ctx.db.alertRule.findMany({ select: { name: true } })).map(({ name }) => name),
  );
  for (const rule of RULES) {
    if (!known.has(rule.name)) await ignoreExisting(createAlertRule(ctx, rule));
  }
}

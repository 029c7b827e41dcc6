import type { Quota } from "../../domain/quotas/quota.ts";
import { readQuotas } from "../../domain/quotas/read-quotas.ts";
import { builder } from "../builder.ts";

const NAMES = {
  AGENTS: { value: "agents", description: "Agents that are not archived." },
  TASKS_PER_DAY: { value: "tasks_per_day", description: "Tasks that are created in a day, in UTC." },
  EVENTS_PER_SECOND: {
    value: "events_per_second",
    description: "Events in a second. It holds agents alone, and the events of all are counted.",
  },
  STORAGE_BYTES: {
    value: "storage_bytes",
    description:
      "What is stored, in bytes. With more, no tasks, messages, missions, evaluation runs and telemetry are accepted.",
  },
} as const;

const QuotaNameEnum = builder.enumType("QuotaName", { description: "What a quota is of.", values: NAMES });

const QuotaType = builder.objectRef<Quota>("Quota").implement({
  description: "What the workspace may have, and has. Set by who runs the service.",
  fields: (t) => ({
    name: t.field({ type: QuotaNameEnum, resolve: ({ name }) => name }),
    limit: t.float({ nullable: true, description: "Null for no limit.", resolve: ({ limit }) => limit }),
    used: t.exposeFloat("used"),
    measuredAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When `used` was measured, about every ten minutes. Null if it is exact.",
      resolve: ({ measuredAt }) => measuredAt,
    }),
  }),
});

builder.queryFields((t) => ({
  quotas: t.field({
    type: [QuotaType],
    description: "The workspace's quotas, and how much of each is used. For admins.",
    resolve: (_root, _args, ctx) => readQuotas(ctx),
  }),
}));

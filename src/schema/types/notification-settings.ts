import { DigestFrequency } from "../../db/generated/enums.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { NotificationSettings as Settings } from "../../domain/notifications/notification-settings.ts";
import { readNotificationSettings } from "../../domain/notifications/read-notification-settings.ts";
import { updateNotificationSettings } from "../../domain/notifications/update-notification-settings.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { omitNulls } from "../omit-nulls.ts";

const Frequency = addEnum(
  "DigestFrequency",
  DigestFrequency,
  "How often a person gets a digest. WEEKLY: on Mondays.",
);

const ALERTS = "Whether alert rules that fire or are resolved are told.";
const MINUTES = `Questions are told that wait for so many minutes, ${LIMITS.questionMinutes.min} to ${LIMITS.questionMinutes.max}; null for none.`;
const HOUR = `The hour at which digests are sent, ${LIMITS.digestHour.min} to ${LIMITS.digestHour.max}, in the time zone.`;
const ZONE = "A name of the IANA database, such as Europe/Berlin.";

const NotificationSettings = builder.objectRef<Settings>("NotificationSettings").implement({
  description: "What a person is told of by email. Each email has a link that ends those of its kind.",
  fields: (t) => ({
    alerts: t.exposeBoolean("alerts", { description: ALERTS }),
    questionMinutes: t.exposeInt("questionMinutes", { nullable: true, description: MINUTES }),
    digest: t.expose("digest", { type: Frequency }),
    digestHour: t.exposeInt("digestHour", { description: HOUR }),
    timeZone: t.exposeString("timeZone", { description: ZONE }),
    digestDueAt: t.expose("digestDueAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  notificationSettings: t.field({
    type: NotificationSettings,
    description: "What the caller is told of by email. For people.",
    resolve: (_root, _args, ctx) => readNotificationSettings(ctx),
  }),
}));

builder.relayMutationField(
  "updateNotificationSettings",
  {
    inputFields: (t) => ({
      alerts: t.boolean({ description: ALERTS }),
      questionMinutes: t.int({ description: MINUTES }),
      digest: t.field({ type: Frequency }),
      digestHour: t.int({ description: HOUR }),
      timeZone: t.string({ description: ZONE }),
    }),
  },
  {
    description:
      "Changes what the caller is told of by email. Fields that are left out don't change. For people.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, questionMinutes, ...others } = input;
      const wanted = { ...omitNulls(others), ...(questionMinutes !== undefined && { questionMinutes }) };
      return { settings: await updateNotificationSettings(ctx, wanted) };
    },
  },
  {
    outputFields: (t) => ({
      notificationSettings: t.field({ type: NotificationSettings, resolve: ({ settings }) => settings }),
    }),
  },
);

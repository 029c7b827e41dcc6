import { z } from "zod";
import type { NotificationSettings as Row, NotificationTopic } from "../../db/generated/client.ts";
import { DigestFrequency } from "../../db/generated/enums.ts";
import { wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** What a person wants to be told of by email. */
export type NotificationSettings = Pick<
  Row,
  "alerts" | "questionMinutes" | "digest" | "digestHour" | "timeZone" | "digestDueAt"
>;

/** Those of a person who has never changed them. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  alerts: false,
  questionMinutes: null,
  digest: "never",
  digestHour: LIMITS.digestHour.default,
  timeZone: "UTC",
  digestDueAt: null,
};

export const notificationChanges = z.strictObject({
  alerts: z.boolean().exactOptional(),
  questionMinutes: wholeNumber(LIMITS.questionMinutes).nullable().exactOptional(),
  digest: z.enum(DigestFrequency).exactOptional(),
  digestHour: wholeNumber(LIMITS.digestHour).exactOptional(),
  timeZone: z
    .string()
    .refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Berlin")
    .exactOptional(),
});

/** Whether it is a name, and no difference to UTC, which changes with the seasons. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w/+-]{0,63}$/i.test(name)) return false;
  try {
    Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export type NotificationChanges = z.output<typeof notificationChanges>;

/** What ends the notifications of a topic. */
export const WITHOUT = {
  alerts: { alerts: false },
  waiting_questions: { questionMinutes: null },
  digest: { digest: "never" },
} as const satisfies Record<NotificationTopic, NotificationChanges>;

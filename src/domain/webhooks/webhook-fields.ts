import { z } from "zod";
import { EVENT_TYPE } from "../event-log/event-filter.ts";
import { httpUrl } from "../kernel/http-url.ts";
import { text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const eventType = z
  .string()
  .regex(EVENT_TYPE, "must be a type such as task.created, with * only at the end")
  .max(LIMITS.fieldLength);

/** What can be changed of an endpoint. */
export const webhookFields = {
  url: httpUrl,
  description: text(LIMITS.webhookDescriptionLength, 0).transform((value) => value.trim()),
  eventTypes: z
    .array(eventType)
    .min(1, "must have at least 1 entry")
    .max(LIMITS.eventTypes, `must have at most ${LIMITS.eventTypes} entries`)
    .transform((types) => [...new Set(types)]),
};

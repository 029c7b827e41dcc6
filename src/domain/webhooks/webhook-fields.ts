import { z } from "zod";
import type { WebhookKind } from "../../db/generated/enums.ts";
import { EVENT_TYPE } from "../event-log/event-filter.ts";
import { createFieldError } from "../kernel/errors.ts";
import { httpUrl } from "../kernel/http-url.ts";
import { text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { CHAT_EVENT_TYPES, listChatTypes } from "./chat-message.ts";

const eventType = z
  .string()
  .regex(EVENT_TYPE, "must be a type such as task.created, with * only at the end")
  .max(LIMITS.fieldLength);

const SHOWN_END = 4;

/** A chat's URL as it is shown: the server, and the last four characters if those before them are enough of a secret. */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const secret = pathname + search;
  return `${origin}/…${secret.length > SHOWN_END * 5 ? secret.slice(-SHOWN_END) : ""}`;
}

/** @throws {DomainError} validation_failed if a chat has no message for one of the types. */
export function requireKnownTypes(kind: WebhookKind, types: readonly string[]): void {
  const unknown = kind === "chat" ? types.find((type) => listChatTypes([type]).length === 0) : undefined;
  if (unknown === undefined) return;
  throw createFieldError(
    "eventTypes",
    `has ${unknown}, but chats are told of ${CHAT_EVENT_TYPES.join(", ")}`,
  );
}

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

import type { WebhookDelivery as WebhookDeliveryRow } from "../../db/generated/client.ts";
import { WebhookDeliveryStatus } from "../../db/generated/enums.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import {
  type WebhookDeliveries,
  listWebhookDeliveries,
} from "../../domain/webhooks/list-webhook-deliveries.ts";
import { resendDelivery } from "../../domain/webhooks/resend-delivery.ts";
import { resendFromDelivery } from "../../domain/webhooks/resend-from-delivery.ts";
import { sendTestEvent } from "../../domain/webhooks/send-test-event.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { WebhookEndpoint } from "./webhook-endpoint.ts";

const Status = addEnum(
  "WebhookDeliveryStatus",
  WebhookDeliveryStatus,
  "Whether an event has reached a webhook endpoint.",
);

const WebhookDelivery = builder.objectRef<WebhookDeliveryRow>("WebhookDelivery").implement({
  description: "An event that was sent to a webhook endpoint, or has yet to be, with the last answer.",
  fields: (t) => ({
    id: t.id({ resolve: (delivery) => toGlobalId("WebhookDelivery", delivery.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    eventId: t.expose("eventId", { type: "UUID", description: "Also the header `webhook-id`." }),
    eventType: t.exposeString("eventType"),
    isTest: t.boolean({ resolve: ({ seq }) => seq === 0n }),
    body: t.exposeString("body", { description: "The request's body, a CloudEvent in JSON." }),
    status: t.expose("status", { type: Status }),
    attempts: t.exposeInt("attempts", { description: "Since it was last sent by a person." }),
    nextAttemptAt: t.expose("nextAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "Null if there is none, and behind another event of the same subject.",
    }),
    attemptedAt: t.expose("attemptedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the last attempt ended.",
    }),
    durationMs: t.exposeInt("durationMs", { nullable: true, description: "Of the last attempt." }),
    answerStatus: t.exposeInt("answerStatus", { nullable: true }),
    answerBody: t.exposeString("answerBody", {
      nullable: true,
      description: `The first ${LIMITS.webhookKeptBytes} bytes.`,
    }),
    problem: t.exposeString("problem", {
      nullable: true,
      description: "Why the last attempt failed, where the answer does not say it.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const Deliveries = builder.objectRef<WebhookDeliveries>("WebhookDeliveries").implement({
  description: "Some of the deliveries to a webhook endpoint.",
  fields: (t) => ({
    deliveries: t.field({ type: [WebhookDelivery], resolve: ({ deliveries }) => deliveries }),
    hasOlder: t.exposeBoolean("hasOlder"),
  }),
});

const PAGE = LIMITS.webhookDeliveriesPage;

builder.queryFields((t) => ({
  webhookDeliveries: t.field({
    type: Deliveries,
    description:
      "What was sent to a webhook endpoint within the workspace's retention, and has yet to be, newest first. For admins.",
    args: {
      endpointId: t.arg.id({ required: true }),
      status: t.arg({ type: Status }),
      before: t.arg.id({ description: "Only those before this delivery." }),
      first: t.arg.int({ description: `${PAGE.min} to ${PAGE.max}. Default ${PAGE.default}.` }),
    },
    complexity: ({ first }) => ({ field: 1, multiplier: Math.max(1, first ?? PAGE.default) }),
    resolve: (_root, { endpointId, status, before, first }, ctx) =>
      listWebhookDeliveries(ctx, {
        endpointId: fromGlobalId("endpointId", "WebhookEndpoint", endpointId),
        status: status ?? null,
        before: typeof before === "string" ? fromGlobalId("before", "WebhookDelivery", before) : null,
        ...omitNulls({ first }),
      }),
  }),
}));

builder.relayMutationField(
  "sendTestEvent",
  { inputFields: (t) => ({ endpointId: t.id({ required: true }) }) },
  {
    description: "Sends an event of the type `webhook_endpoint.test` to a webhook endpoint. For admins.",
    resolve: async (_root, { input: { endpointId } }, ctx) => ({
      delivery: await sendTestEvent(ctx, { id: fromGlobalId("endpointId", "WebhookEndpoint", endpointId) }),
    }),
  },
  {
    outputFields: (t) => ({
      delivery: t.field({ type: WebhookDelivery, resolve: ({ delivery }) => delivery }),
    }),
  },
);

builder.relayMutationField(
  "resendDelivery",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Sends one event to its webhook endpoint again, with the same id. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      delivery: await resendDelivery(ctx, { id: fromGlobalId("id", "WebhookDelivery", id) }),
    }),
  },
  {
    outputFields: (t) => ({
      delivery: t.field({ type: WebhookDelivery, resolve: ({ delivery }) => delivery }),
    }),
  },
);

builder.relayMutationField(
  "resendFromDelivery",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Sends an event and all after it again to its webhook endpoint, which is enabled if it is not. " +
      "For admins who entered their password within the last 20 minutes.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      endpoint: await resendFromDelivery(ctx, { id: fromGlobalId("id", "WebhookDelivery", id) }),
    }),
  },
  {
    outputFields: (t) => ({
      endpoint: t.field({ type: WebhookEndpoint, resolve: ({ endpoint }) => endpoint }),
    }),
  },
);

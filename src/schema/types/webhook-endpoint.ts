import { createWebhookEndpoint } from "../../auth/webhooks/create-webhook-endpoint.ts";
import { rotateWebhookSecret } from "../../auth/webhooks/rotate-webhook-secret.ts";
import { updateWebhookEndpoint } from "../../auth/webhooks/update-webhook-endpoint.ts";
import { WebhookDisabling, WebhookKind } from "../../db/generated/enums.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { deleteWebhookEndpoint } from "../../domain/webhooks/delete-webhook-endpoint.ts";
import { listWebhookEndpoints } from "../../domain/webhooks/list-webhook-endpoints.ts";
import { readWebhookEndpoint } from "../../domain/webhooks/read-webhook-endpoint.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";

const Kind = addEnum(
  "WebhookKind",
  WebhookKind,
  "What a webhook endpoint gets: events, or messages for people in the form of Slack's incoming webhooks.",
);

const WebhookDisablingEnum = addEnum(
  "WebhookDisabling",
  WebhookDisabling,
  "Why a webhook endpoint gets nothing: a person disabled it, it failed to take an event, or it answered 410.",
);

/** A URL to which events are sent. */
export const WebhookEndpoint = builder.prismaObject("WebhookEndpoint", {
  description:
    "A URL to which the workspace's events are sent: signed by Standard Webhooks or, to a chat, as messages for people.",
  fields: (t) => ({
    id: t.id({ resolve: (endpoint) => toGlobalId("WebhookEndpoint", endpoint.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    kind: t.expose("kind", { type: Kind }),
    url: t.exposeString("url", { description: "A chat's is a secret, and masked." }),
    description: t.exposeString("description"),
    eventTypes: t.exposeStringList("eventTypes", {
      description: "The types of events that it gets, such as `task.created`, `task.*` and `*`.",
    }),
    enabled: t.boolean({
      select: { disabledAt: true },
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledBecause: t.expose("disabledBecause", {
      type: WebhookDisablingEnum,
      nullable: true,
      description: "Null while it is enabled.",
    }),
    disabledAt: t.expose("disabledAt", { type: "DateTime", nullable: true }),
    previousSecretEndsAt: t.expose("previousSecretEndsAt", {
      type: "DateTime",
      nullable: true,
      description: "When the secret before signs no more, or since when. Null if there is none.",
    }),
    createdBy: t.field({
      type: "Actor",
      select: { createdBy: true },
      resolve: ({ createdBy }) => toActorRecord(createdBy),
    }),
    updatedBy: t.field({
      type: "Actor",
      select: { updatedBy: true },
      resolve: ({ updatedBy }) => toActorRecord(updatedBy),
    }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const SUDO = "For admins who entered their password within the last 20 minutes.";
const TYPES = `1 to ${LIMITS.eventTypes} types such as \`task.created\`, \`task.*\` and \`*\`.`;
const OVERLAP = LIMITS.webhookOverlapSeconds;

builder.queryFields((t) => ({
  webhookEndpoint: t.prismaField({
    type: WebhookEndpoint,
    description: "One webhook endpoint. For admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readWebhookEndpoint(ctx, { id: fromGlobalId("id", "WebhookEndpoint", id) }, query),
  }),
  webhookEndpoints: t.prismaField({
    type: [WebhookEndpoint],
    description: "The workspace's webhook endpoints, newest first, a hundred at most. For admins.",
    complexity: { field: 1, multiplier: LIMITS.webhookEndpoints },
    resolve: (query, _root, _args, ctx) => listWebhookEndpoints(ctx, query),
  }),
}));

const Url = "https, or http where OUTBOUND_ALLOW of the server lists its address.";

builder.relayMutationField(
  "createWebhookEndpoint",
  {
    inputFields: (t) => ({
      kind: t.field({ type: Kind, description: "Default `EVENTS`." }),
      url: t.string({ required: true, description: Url }),
      eventTypes: t.stringList({
        description: `${TYPES} Default \`*\`: for a chat, all that it has messages for.`,
      }),
      description: t.string({ description: `At most ${LIMITS.webhookDescriptionLength} characters.` }),
      enabled: t.boolean({ description: "Default true." }),
    }),
  },
  {
    description: `Adds a webhook endpoint, which gets the events from now on. ${SUDO}`,
    resolve: (_root, { input: { clientMutationId: _id, url, ...rest } }, ctx) =>
      createWebhookEndpoint(ctx, { url, ...omitNulls(rest) }),
  },
  {
    outputFields: (t) => ({
      endpoint: t.field({ type: WebhookEndpoint, resolve: ({ endpoint }) => endpoint }),
      secret: t.exposeString("secret", {
        nullable: true,
        description: "It signs the requests. Shown only once. Null for a chat.",
      }),
    }),
  },
);

builder.relayMutationField(
  "updateWebhookEndpoint",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      url: t.string({ description: Url }),
      eventTypes: t.stringList({ description: TYPES }),
      description: t.string(),
      enabled: t.boolean({
        description: "Once it is enabled again, it gets what it missed, as far as the log has it.",
      }),
      fromNow: t.boolean({ description: "Whether what was not delivered until now is skipped." }),
      ifGeneration: t.int({ description: "The generation that the caller read." }),
    }),
  },
  {
    description: `Changes a webhook endpoint. ${SUDO}`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ifGeneration, ...changes } = input;
      const endpoint = await updateWebhookEndpoint(ctx, {
        id: fromGlobalId("id", "WebhookEndpoint", id),
        ifGeneration,
        ...omitNulls(changes),
      });
      return { endpoint };
    },
  },
  {
    outputFields: (t) => ({
      endpoint: t.field({ type: WebhookEndpoint, resolve: ({ endpoint }) => endpoint }),
    }),
  },
);

builder.relayMutationField(
  "rotateWebhookSecret",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      overlapSeconds: t.int({
        description: `How long the secret before signs too, ${OVERLAP.min} to ${OVERLAP.max}. Default ${OVERLAP.default}.`,
      }),
    }),
  },
  {
    description: `Gives a webhook endpoint a new secret. ${SUDO}`,
    resolve: (_root, { input: { id, overlapSeconds } }, ctx) =>
      rotateWebhookSecret(ctx, {
        id: fromGlobalId("id", "WebhookEndpoint", id),
        ...omitNulls({ overlapSeconds }),
      }),
  },
  {
    outputFields: (t) => ({
      endpoint: t.field({ type: WebhookEndpoint, resolve: ({ endpoint }) => endpoint }),
      secret: t.exposeString("secret", { description: "The new secret. Shown only once." }),
    }),
  },
);

builder.relayMutationField(
  "deleteWebhookEndpoint",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Deletes a webhook endpoint with its deliveries and secrets. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => {
      const uuid = fromGlobalId("id", "WebhookEndpoint", id);
      await deleteWebhookEndpoint(ctx, { id: uuid });
      return { deletedId: toGlobalId("WebhookEndpoint", uuid) };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);

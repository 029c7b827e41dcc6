import { deleteEntity } from "../../domain/gateway-entities/delete-entity.ts";
import { listEntities } from "../../domain/gateway-entities/list-entities.ts";
import { readEntity } from "../../domain/gateway-entities/read-entity.ts";
import { saveEntity } from "../../domain/gateway-entities/save-entity.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";

const GatewayEntity = builder.prismaNode("GatewayEntity", {
  ...workspaceNode,
  description:
    "A subject or resource that is no agent, such as a user of yours. Where a request to the gateway has no properties for it, it has these.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    type: t.exposeString("type"),
    entityId: t.exposeString("entityId", { description: "Its id in requests, unique in its type." }),
    properties: t.expose("properties", { type: "JSON" }),
    updatedBy: t.field({ type: "Actor", resolve: (entity) => toActorRecord(entity.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const GatewayEntityFilter = builder.inputType("GatewayEntityFilter", {
  fields: (t) => ({ type: t.string() }),
});

const TYPE = "Letters, digits and underscores, a letter first. Not agent, robot or member.";

builder.queryFields((t) => ({
  gatewayEntity: t.field({
    type: GatewayEntity,
    description: "One entity, by its name in requests. For `gateway:read` or `gateway:delegate`.",
    args: { type: t.arg.string({ required: true }), entityId: t.arg.string({ required: true }) },
    resolve: (_root, name, ctx) => readEntity(ctx, name),
  }),
  gatewayEntities: t.connection({
    type: GatewayEntity,
    description: "The workspace's entities, newest first. For `gateway:read` or `gateway:delegate`.",
    args: { offset: t.arg.int(), filter: t.arg({ type: GatewayEntityFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listEntities(ctx, page, filter ?? {})),
  }),
}));

builder.relayMutationField(
  "saveGatewayEntity",
  {
    inputFields: (t) => ({
      type: t.string({ required: true, description: TYPE }),
      entityId: t.string({ required: true, description: "At most 256 characters." }),
      properties: t.field({
        type: "JSON",
        required: true,
        description: "An object of at most 16 KiB as JSON.",
      }),
    }),
  },
  {
    description:
      "Creates an entity or replaces its properties. Needs `gateway:delegate`, or an admin who entered the password recently.",
    resolve: async (_root, { input: { type, entityId, properties } }, ctx) => ({
      // The use case checks that it is an object.
      entity: await saveEntity(ctx, { type, entityId, properties: properties as Record<string, unknown> }),
    }),
  },
  { outputFields: (t) => ({ entity: t.field({ type: GatewayEntity, resolve: ({ entity }) => entity }) }) },
);

builder.relayMutationField(
  "deleteGatewayEntity",
  {
    inputFields: (t) => ({
      type: t.string({ required: true }),
      entityId: t.string({ required: true }),
    }),
  },
  {
    description:
      "Deletes an entity. Needs `gateway:delegate`, or an admin who entered the password recently.",
    resolve: async (_root, { input: { type, entityId } }, ctx) => ({
      entity: await deleteEntity(ctx, { type, entityId }),
    }),
  },
  { outputFields: (t) => ({ entity: t.field({ type: GatewayEntity, resolve: ({ entity }) => entity }) }) },
);

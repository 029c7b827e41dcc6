import { type Actor, recordOf } from "../../domain/actor.ts";
import { ROLES } from "../../domain/scopes.ts";
import { readWorkspace } from "../../domain/workspaces/read-workspace.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../enum.ts";
import { toGlobalId } from "../global-id.ts";
import { CredentialKind } from "./token.ts";

const Role = enumOf(
  "Role",
  // One entry for each role, under its own name.
  Object.fromEntries(ROLES.map((role) => [role, role])) as { [Key in (typeof ROLES)[number]]: Key },
  "What a person is in the workspace.",
);

const Workspace = builder.prismaObject("Workspace", {
  description: "The tenant that everything belongs to.",
  fields: (t) => ({
    id: t.id({ resolve: (workspace) => toGlobalId("Workspace", workspace.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    slug: t.exposeString("slug"),
    name: t.exposeString("name"),
    eventRetentionDays: t.exposeInt("eventRetentionDays"),
    missionRetentionDays: t.exposeInt("missionRetentionDays"),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

type Credential = Extract<Actor, { type: "agent" }>["credential"];

const ViewerCredential = builder.objectRef<Credential>("ViewerCredential").implement({
  description: "The credential that the caller came with, without its secret.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    kind: t.expose("kind", { type: CredentialKind }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true }),
  }),
});

const Viewer = builder.objectRef<Actor>("Viewer").implement({
  description: "The caller.",
  fields: (t) => ({
    actor: t.field({ type: "Actor", resolve: (actor) => recordOf(actor) }),
    scopes: t.stringList({
      description: "What an agent's credential may do, sorted; empty for people.",
      resolve: (actor) => (actor.type === "agent" ? [...actor.scopes].toSorted() : []),
    }),
    role: t.field({
      type: Role,
      nullable: true,
      description: "Null for anybody but a person.",
      resolve: (actor) => (actor.type === "user" ? actor.role : null),
    }),
    credential: t.field({
      type: ViewerCredential,
      nullable: true,
      resolve: (actor) => (actor.type === "agent" ? actor.credential : null),
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({ type: Viewer, description: "The caller.", resolve: (_root, _args, ctx) => ctx.actor }),
  workspace: t.prismaField({
    type: Workspace,
    description: "The caller's workspace.",
    resolve: (query, _root, _args, ctx) => readWorkspace(ctx, query),
  }),
}));

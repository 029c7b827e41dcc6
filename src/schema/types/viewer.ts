import { type Actor, type UserSession, createActorRecord } from "../../domain/kernel/actor.ts";
import { readUser } from "../../domain/users/read-user.ts";
import { builder } from "../builder.ts";
import { CredentialKind } from "./token.ts";
import { RoleEnum, User } from "./user.ts";

type Credential = Extract<Actor, { type: "agent" }>["credential"];

const ViewerCredential = builder.objectRef<Credential>("ViewerCredential").implement({
  description: "The credential of the current request, without its secret.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    kind: t.expose("kind", { type: CredentialKind }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true }),
  }),
});

export const ViewerSession = builder.objectRef<UserSession>("ViewerSession").implement({
  description: "The session of the current request.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    isSudo: t.exposeBoolean("isSudo", {
      description: "Whether the password was entered within the last 20 minutes.",
    }),
  }),
});

const Viewer = builder.objectRef<Actor>("Viewer").implement({
  description: "The caller.",
  fields: (t) => ({
    actor: t.field({ type: "Actor", resolve: (actor) => createActorRecord(actor) }),
    scopes: t.stringList({
      description: "The scopes of an agent's credential, sorted. Empty for people.",
      resolve: (actor) => (actor.type === "agent" ? [...actor.scopes].toSorted() : []),
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description: "Null unless the caller is a person.",
      resolve: (actor) => (actor.type === "user" ? actor.role : null),
    }),
    user: t.field({
      type: User,
      nullable: true,
      description: "The caller as a member. Null unless the caller is a person.",
      resolve: (actor, _args, ctx) => (actor.type === "user" ? readUser(ctx, actor.id) : null),
    }),
    session: t.field({
      type: ViewerSession,
      nullable: true,
      description: "Null unless the caller is a person.",
      resolve: (actor) => (actor.type === "user" ? actor.session : null),
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
}));

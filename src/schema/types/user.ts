import { type Invited, inviteWithLink, resendWithLink } from "../../auth/invitations/invite-with-link.ts";
import type { Actor } from "../../domain/kernel/actor.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { PageRow } from "../../domain/kernel/page.ts";
import { ROLES, isAtLeast } from "../../domain/kernel/scopes.ts";
import { deactivateUser } from "../../domain/users/deactivate-user.ts";
import { deleteUser } from "../../domain/users/delete-user.ts";
import { listUsers } from "../../domain/users/list-users.ts";
import { readUser } from "../../domain/users/read-user.ts";
import { unsuspendUser } from "../../domain/users/unsuspend-user.ts";
import { updateUserRole } from "../../domain/users/update-user-role.ts";
import { USER_STATUSES, type UserView, getUserStatus } from "../../domain/users/user-view.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";

export const RoleEnum = addEnum("Role", toEnumValues(ROLES), "A person's role in the workspace.");

const UserStatusEnum = addEnum("UserStatus", toEnumValues(USER_STATUSES), "The status of a member.");

export const User = builder.objectRef<UserView | PageRow<UserView>>("User").implement({
  description: "A person who is a member of the workspace.",
  fields: (t) => ({
    id: t.id({ resolve: (user) => toGlobalId("User", user.id) }),
    uuid: t.expose("id", { type: "UUID", description: "The id in SCIM." }),
    email: t.exposeString("email", { nullable: true, description: "The address to log in with." }),
    userName: t.exposeString("userName", {
      nullable: true,
      description: "The user name at the identity provider.",
    }),
    name: t.exposeString("name", { nullable: true, description: "The person's display name." }),
    role: t.expose("role", { type: RoleEnum, description: "What the person may do." }),
    status: t.field({
      type: UserStatusEnum,
      description: "INVITED until a password is set. SUSPENDED accounts can't log in.",
      resolve: getUserStatus,
    }),
    confirmedAt: t.expose("confirmedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the person first confirmed the address.",
    }),
    suspendedAt: t.expose("suspendedAt", {
      type: "DateTime",
      nullable: true,
      description: "Since when the account is suspended.",
    }),
    hasSecondFactor: t.boolean({
      nullable: true,
      description:
        "Whether a log-in asks for more than the password. Null for other members, unless for admins.",
      resolve: ({ id, secondFactorAt }, _args, { actor }) =>
        maySeeFactors(actor, id) ? secondFactorAt !== null : null,
    }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "The time of the last request, accurate to a minute.",
    }),
    generation: t.exposeInt("generation", { description: "Starts at 1 and grows with every change." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the person became a member." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "The last change of the account." }),
  }),
});

const LINK =
  "The invitation link if no mail provider is set up, shown only once. Null if it was sent by email.";

const UserFilter = builder.inputType("UserFilter", {
  description: "Filters members.",
  fields: (t) => ({
    query: t.string({ description: "A part of the name, the address or the user name. Not case-sensitive." }),
    status: t.field({ type: UserStatusEnum }),
    role: t.field({ type: RoleEnum }),
  }),
});

builder.queryFields((t) => ({
  user: t.field({
    type: User,
    description: "One member of the workspace. For people.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readUser(ctx, fromGlobalId("id", "User", id)),
  }),
  users: t.connection({
    type: User,
    description: "The workspace's members, newest first. For people.",
    args: { filter: t.arg({ type: UserFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listUsers(ctx, page, filter ?? {})),
  }),
}));

builder.relayMutationField(
  "inviteUser",
  {
    inputFields: (t) => ({
      email: t.string({ required: true, description: "The address to send the invitation to." }),
      name: t.string({ description: "1 to 100 characters." }),
      role: t.field({ type: RoleEnum, required: true, description: "Not higher than the caller's own." }),
    }),
  },
  {
    description:
      "Adds a member and sends an invitation to set a password. For admins. " +
      `A workspace can send ${LIMITS.invitations} invitations within 15 minutes.`,
    resolve: async (_root, { input: { email, name, role } }, ctx) =>
      inviteWithLink(ctx, { email, name, role }),
  },
  {
    outputFields: (t) => ({
      user: t.field({ type: User, resolve: readChanged }),
      link: t.string({ nullable: true, description: LINK, resolve: ({ link }: Invited) => link }),
    }),
  },
);

builder.relayMutationField(
  "resendInvitation",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Sends a new invitation to a member who has no password yet. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => resendWithLink(ctx, fromGlobalId("id", "User", id)),
  },
  {
    outputFields: (t) => ({
      user: t.field({ type: User, resolve: readChanged }),
      link: t.string({ nullable: true, description: LINK, resolve: ({ link }: Invited) => link }),
    }),
  },
);

builder.relayMutationField(
  "updateUserRole",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      role: t.field({ type: RoleEnum, required: true, description: "Not higher than the caller's own." }),
    }),
  },
  {
    description: "Changes a member's role. For admins.",
    resolve: async (_root, { input: { id, role } }, ctx) => {
      const userId = fromGlobalId("id", "User", id);
      await updateUserRole(ctx, userId, role);
      return { userId };
    },
  },
  { outputFields: (t) => ({ user: t.field({ type: User, resolve: readChanged }) }) },
);

builder.relayMutationField(
  "suspendUser",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Suspends a member: revokes their sessions and links immediately and prevents new log-ins. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => {
      const userId = fromGlobalId("id", "User", id);
      await deactivateUser(ctx, userId);
      return { userId };
    },
  },
  { outputFields: (t) => ({ user: t.field({ type: User, resolve: readChanged }) }) },
);

builder.relayMutationField(
  "unsuspendUser",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Allows a suspended member to log in again. Revoked sessions and links stay revoked. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => {
      const userId = fromGlobalId("id", "User", id);
      await unsuspendUser(ctx, userId);
      return { userId };
    },
  },
  { outputFields: (t) => ({ user: t.field({ type: User, resolve: readChanged }) }) },
);

builder.relayMutationField(
  "deleteUser",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Removes a member from the workspace permanently. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => {
      await deleteUser(ctx, fromGlobalId("id", "User", id));
      return { deletedId: id };
    },
  },
  {
    outputFields: (t) => ({
      deletedId: t.exposeID("deletedId", { description: "The id of the removed member." }),
    }),
  },
);

function maySeeFactors(actor: Actor, userId: string): boolean {
  if (actor.type === "system") return true;
  return actor.type === "user" && (actor.id === userId || isAtLeast(actor.role, "admin"));
}

function readChanged({ userId }: { userId: string }, _args: object, ctx: Ctx): Promise<UserView> {
  return readUser(ctx, userId);
}

import { requestEmailChange } from "../../auth/email-change/request-email-change.ts";
import { getSessionServices } from "../../auth/get-session-services.ts";
import { changePassword } from "../../auth/sessions/change-password.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { readUser } from "../../domain/users/read-user.ts";
import { updateProfile } from "../../domain/users/update-profile.ts";
import { builder } from "../builder.ts";
import { User } from "./user.ts";

builder.relayMutationField(
  "changePassword",
  {
    inputFields: (t) => ({
      currentPassword: t.string({ required: true }),
      newPassword: t.string({
        required: true,
        description: "At least as long as the server's minimum, and not easy to guess.",
      }),
      newPasswordConfirmation: t.string({ required: true, description: "Must equal `newPassword`." }),
    }),
  },
  {
    description:
      "Changes the caller's password. This session stays valid; all other sessions are logged out.",
    resolve: async (_root, { input }, ctx) => {
      const { currentPassword, newPassword, newPasswordConfirmation } = input;
      const passwords = { currentPassword, newPassword, newPasswordConfirmation };
      await changePassword(ctx, getSessionServices(ctx), passwords);
      return { userId: requireUser(ctx).id };
    },
  },
  {
    outputFields: (t) => ({
      user: t.field({ type: User, resolve: ({ userId }, _args, ctx) => readUser(ctx, userId) }),
    }),
  },
);

builder.relayMutationField(
  "updateProfile",
  {
    inputFields: (t) => ({
      name: t.string({ description: "1 to 100 characters. Left out, the name is removed." }),
    }),
  },
  {
    description: "Changes the caller's name.",
    resolve: async (_root, { input: { name } }, ctx) => {
      await updateProfile(ctx, { name: name ?? null });
      return { userId: requireUser(ctx).id };
    },
  },
  {
    outputFields: (t) => ({
      user: t.field({ type: User, resolve: ({ userId }, _args, ctx) => readUser(ctx, userId) }),
    }),
  },
);

builder.relayMutationField(
  "requestEmailChange",
  { inputFields: (t) => ({ email: t.string({ required: true, description: "The new address." }) }) },
  {
    description: "Sends a confirmation link to the new address. The address changes when the link is opened.",
    resolve: async (_root, { input: { email } }, ctx) => {
      await requestEmailChange(ctx, email);
      return { done: true };
    },
  },
  {
    outputFields: (t) => ({
      done: t.exposeBoolean("done", {
        description: "Always true, even if the address belongs to another account.",
      }),
    }),
  },
);

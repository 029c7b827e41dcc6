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
        description: "As long as the server asks for, and nothing that is easy to guess.",
      }),
      newPasswordConfirmation: t.string({ required: true, description: "The same once more." }),
    }),
  },
  {
    description: "Gives the caller another password. This browser stays in; every other one is logged out.",
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
      name: t.string({ description: "1 to 100 characters; none where it is left out." }),
    }),
  },
  {
    description: "Changes what the caller is called.",
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
  { inputFields: (t) => ({ email: t.string({ required: true, description: "The address to be." }) }) },
  {
    description:
      "Sends a link to the address that the caller wants to have; following it changes the address.",
    resolve: async (_root, { input: { email } }, ctx) => {
      await requestEmailChange(ctx, email);
      return { done: true };
    },
  },
  {
    outputFields: (t) => ({
      done: t.exposeBoolean("done", { description: "Always true, whoever has the address." }),
    }),
  },
);

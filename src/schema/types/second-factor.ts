import { addTotp } from "../../auth/factors/add-totp.ts";
import { beginTotp } from "../../auth/factors/begin-totp.ts";
import { type FactorsView, readFactors } from "../../auth/factors/read-factors.ts";
import { removeTotp } from "../../auth/factors/remove-totp.ts";
import { removeUserFactors } from "../../auth/factors/remove-user-factors.ts";
import { renewRecoveryCodes } from "../../auth/factors/renew-recovery-codes.ts";
import { addPasskey } from "../../auth/passkeys/add-passkey.ts";
import { beginPasskey } from "../../auth/passkeys/begin-passkey.ts";
import { removePasskey } from "../../auth/passkeys/remove-passkey.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { readUser } from "../../domain/users/read-user.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { User } from "./user.ts";

const SUDO = "For people who confirmed who they are recently.";
const CODES = "Shown only once. Each works once, in place of a code of the app.";

const AuthenticatorApp = builder.objectRef<NonNullable<FactorsView["totp"]>>("AuthenticatorApp").implement({
  description: "An app that shows a code of six digits, another one every 30 seconds (RFC 6238).",
  fields: (t) => ({
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", description: "Accurate to a minute." }),
  }),
});

const Passkey = builder.objectRef<FactorsView["passkeys"][number]>("Passkey").implement({
  description: "A key pair that an authenticator made for this site (WebAuthn).",
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => toGlobalId("Passkey", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", nullable: true }),
  }),
});

const SecondFactors = builder.objectRef<FactorsView>("SecondFactors").implement({
  description: "What the caller logs in with besides the password, without secrets.",
  fields: (t) => ({
    authenticatorApp: t.expose("totp", { type: AuthenticatorApp, nullable: true }),
    passkeys: t.expose("passkeys", {
      type: [Passkey],
      complexity: { field: 1, multiplier: LIMITS.passkeysPerPerson },
    }),
    recoveryCodesLeft: t.exposeInt("recoveryCodesLeft"),
  }),
});

builder.queryFields((t) => ({
  secondFactors: t.field({
    type: SecondFactors,
    description: "The caller's second factors. For people.",
    resolve: (_root, _args, ctx) => readFactors(ctx),
  }),
}));

builder.relayMutationField(
  "beginAuthenticatorApp",
  {
    inputFields: (t) => ({
      setup: t.string({ description: "Of an earlier call, to get the same answer again." }),
    }),
  },
  {
    description: `Begins to add an authenticator app: nothing changes until \`addAuthenticatorApp\`. ${SUDO}`,
    resolve: (_root, { input: { setup } }, ctx) => beginTotp(ctx, setup),
  },
  {
    outputFields: (t) => ({
      secret: t.string({ description: "In base32, to be typed.", resolve: ({ secret }) => secret }),
      uri: t.string({ description: "An otpauth:// URI, for a QR code.", resolve: ({ uri }) => uri }),
      setup: t.string({
        description: "For `addAuthenticatorApp`, for 15 minutes.",
        resolve: ({ setup }) => setup,
      }),
    }),
  },
);

builder.relayMutationField(
  "addAuthenticatorApp",
  {
    inputFields: (t) => ({
      setup: t.string({ required: true, description: "From `beginAuthenticatorApp`." }),
      code: t.string({ required: true, description: "That the app shows now." }),
    }),
  },
  {
    description: `Adds the authenticator app that shows this code. The first second factor ends the caller's other sessions. ${SUDO}`,
    resolve: async (_root, { input }, ctx) => ({ recoveryCodes: await addTotp(ctx, input) }),
  },
  {
    outputFields: (t) => ({
      recoveryCodes: t.stringList({
        nullable: true,
        description: `${CODES} Null if the caller had a second factor already.`,
        resolve: ({ recoveryCodes }) => recoveryCodes,
      }),
    }),
  },
);

builder.relayMutationField(
  "removeAuthenticatorApp",
  { inputFields: () => ({}) },
  {
    description: `Removes the caller's authenticator app, and with the last factor the recovery codes. ${SUDO}`,
    resolve: async (_root, _args, ctx) => {
      await removeTotp(ctx);
      return {};
    },
  },
  { outputFields: (t) => ({ secondFactors: t.field({ type: SecondFactors, resolve: readOwn }) }) },
);

builder.relayMutationField(
  "beginPasskey",
  { inputFields: () => ({}) },
  {
    description: `Begins to add a passkey. ${SUDO}`,
    resolve: async (_root, _args, ctx) => ({ options: await beginPasskey(ctx) }),
  },
  {
    outputFields: (t) => ({
      options: t.field({
        type: "JSON",
        description: "For the browser: PublicKeyCredentialCreationOptionsJSON, good for five minutes.",
        resolve: ({ options }) => options,
      }),
    }),
  },
);

builder.relayMutationField(
  "addPasskey",
  {
    inputFields: (t) => ({
      name: t.string({ required: true, description: "1 to 100 characters." }),
      response: t.string({
        required: true,
        description: "RegistrationResponseJSON of the browser, as text.",
      }),
    }),
  },
  {
    description: `Adds the passkey that the browser has made. The first second factor ends the caller's other sessions. ${SUDO}`,
    resolve: async (_root, { input: { name, response } }, ctx) => ({
      recoveryCodes: await addPasskey(ctx, { name, response }),
    }),
  },
  {
    outputFields: (t) => ({
      recoveryCodes: t.stringList({
        nullable: true,
        description: `${CODES} Null if the caller had a second factor already.`,
        resolve: ({ recoveryCodes }) => recoveryCodes,
      }),
    }),
  },
);

builder.relayMutationField(
  "removePasskey",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Removes a passkey of the caller, and with the last factor the recovery codes. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => {
      await removePasskey(ctx, fromGlobalId("id", "Passkey", id));
      return {};
    },
  },
  { outputFields: (t) => ({ secondFactors: t.field({ type: SecondFactors, resolve: readOwn }) }) },
);

builder.relayMutationField(
  "renewRecoveryCodes",
  { inputFields: () => ({}) },
  {
    description: `Replaces all recovery codes of the caller. ${SUDO}`,
    resolve: async (_root, _args, ctx) => ({ recoveryCodes: await renewRecoveryCodes(ctx) }),
  },
  {
    outputFields: (t) => ({
      recoveryCodes: t.stringList({ description: CODES, resolve: ({ recoveryCodes }) => recoveryCodes }),
    }),
  },
);

builder.relayMutationField(
  "removeUserFactors",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Removes all second factors of a member who has lost them, and logs the member out everywhere. For owners.",
    resolve: async (_root, { input: { id } }, ctx) => {
      const userId = fromGlobalId("id", "User", id);
      await removeUserFactors(ctx, userId);
      return { userId };
    },
  },
  {
    outputFields: (t) => ({
      user: t.field({ type: User, resolve: ({ userId }, _args, ctx) => readUser(ctx, userId) }),
    }),
  },
);

function readOwn(_done: object, _args: object, ctx: Ctx): Promise<FactorsView> {
  return readFactors(ctx);
}

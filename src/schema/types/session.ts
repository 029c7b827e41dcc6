import { confirmPassword } from "../../auth/sessions/confirm-password.ts";
import { type SessionView, listSessions } from "../../auth/sessions/list-sessions.ts";
import { logOutEverywhere, revokeOtherSessions } from "../../auth/sessions/log-out.ts";
import { revokeSession } from "../../auth/sessions/revoke-session.ts";
import { getSessionServices } from "../../auth/get-session-services.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { ViewerSession } from "./viewer.ts";

const Session = builder.objectRef<SessionView>("Session").implement({
  description: "A browser in which the caller is logged in.",
  fields: (t) => ({
    id: t.id({ resolve: (session) => toGlobalId("Session", session.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    ip: t.exposeString("ip", { nullable: true, description: "The address of its last request." }),
    userAgent: t.exposeString("userAgent", {
      nullable: true,
      description: "The browser's User-Agent header.",
    }),
    authenticatedAt: t.expose("authenticatedAt", {
      type: "DateTime",
      description: "When the password was last entered in this session.",
    }),
    secondFactorUsedAt: t.expose("mfaAt", {
      type: "DateTime",
      nullable: true,
      description: "When a second factor was last used in this session.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the caller logged in." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "Accurate to a minute." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "When the session expires if it is not used before.",
    }),
    remembered: t.exposeBoolean("remembered", {
      description: "Whether the session is kept when the browser is closed.",
    }),
    current: t.exposeBoolean("current", {
      description: "Whether this is the session of the current request.",
    }),
  }),
});

builder.queryFields((t) => ({
  sessions: t.field({
    type: [Session],
    description: "The caller's sessions, the current one first. For people.",
    resolve: (_root, _args, ctx) => listSessions(ctx),
  }),
}));

builder.relayMutationField(
  "revokeSession",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Revokes one of the caller's sessions.",
    resolve: async (_root, { input: { id } }, ctx) => {
      await revokeSession(ctx, fromGlobalId("id", "Session", id));
      return { revokedId: id };
    },
  },
  {
    outputFields: (t) => ({
      revokedId: t.exposeID("revokedId", { description: "The id of the revoked session." }),
    }),
  },
);

builder.relayMutationField(
  "revokeOtherSessions",
  { inputFields: () => ({}) },
  {
    description: "Revokes all of the caller's sessions except the current one.",
    resolve: async (_root, _args, ctx) => ({ revoked: await revokeOtherSessions(ctx) }),
  },
  {
    outputFields: (t) => ({
      sessions: t.field({ type: [Session], resolve: (_done, _args, ctx) => listSessions(ctx) }),
    }),
  },
);

builder.relayMutationField(
  "logOutEverywhere",
  { inputFields: () => ({}) },
  {
    description: "Revokes all of the caller's sessions, including the current one.",
    resolve: async (_root, _args, ctx) => {
      await logOutEverywhere(ctx);
      return { done: true };
    },
  },
  { outputFields: (t) => ({ done: t.exposeBoolean("done", { description: "Always true." }) }) },
);

builder.relayMutationField(
  "confirmPassword",
  {
    inputFields: (t) => ({
      password: t.string({ required: true }),
      code: t.string({
        description:
          "Of the authenticator app, or a recovery code. Required for people with a second factor.",
      }),
    }),
  },
  {
    description:
      "Confirms the caller's password and second factor. For 20 minutes this session may do what requires a recent confirmation.",
    resolve: async (_root, { input: { password, code } }, ctx) => {
      const { session } = requireUser(ctx);
      await confirmPassword(ctx, getSessionServices(ctx), { password, code: code ?? "" });
      return { session: { ...session, isSudo: true } };
    },
  },
  {
    outputFields: (t) => ({ session: t.field({ type: ViewerSession, resolve: ({ session }) => session }) }),
  },
);

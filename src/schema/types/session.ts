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
  description: "A browser in which the caller is logged in, without anything that opens it.",
  fields: (t) => ({
    id: t.id({ resolve: (session) => toGlobalId("Session", session.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    ip: t.exposeString("ip", { nullable: true, description: "Where it was last seen." }),
    userAgent: t.exposeString("userAgent", { nullable: true, description: "What the browser calls itself." }),
    authenticatedAt: t.expose("authenticatedAt", {
      type: "DateTime",
      description: "When the password was last given in it.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the person logged in there." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "To the minute." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "When it ends unless the browser is used before.",
    }),
    remembered: t.exposeBoolean("remembered", { description: "Whether it outlives the browser's closing." }),
    current: t.exposeBoolean("current", { description: "Whether the caller asks from it." }),
  }),
});

builder.queryFields((t) => ({
  sessions: t.field({
    type: [Session],
    description: "The browsers in which the caller is logged in, the caller's own first. For people.",
    resolve: (_root, _args, ctx) => listSessions(ctx),
  }),
}));

builder.relayMutationField(
  "revokeSession",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Logs the caller out of one browser.",
    resolve: async (_root, { input: { id } }, ctx) => {
      await revokeSession(ctx, fromGlobalId("id", "Session", id));
      return { revokedId: id };
    },
  },
  {
    outputFields: (t) => ({ revokedId: t.exposeID("revokedId", { description: "The session that ended." }) }),
  },
);

builder.relayMutationField(
  "revokeOtherSessions",
  { inputFields: () => ({}) },
  {
    description: "Logs the caller out of every browser but this one.",
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
    description: "Logs the caller out of every browser, this one too.",
    resolve: async (_root, _args, ctx) => {
      await logOutEverywhere(ctx);
      return { done: true };
    },
  },
  { outputFields: (t) => ({ done: t.exposeBoolean("done", { description: "Always true." }) }) },
);

builder.relayMutationField(
  "confirmPassword",
  { inputFields: (t) => ({ password: t.string({ required: true }) }) },
  {
    description: "Lets this session do for 20 minutes what the password is asked for again.",
    resolve: async (_root, { input: { password } }, ctx) => {
      const { session } = requireUser(ctx);
      await confirmPassword(ctx, getSessionServices(ctx), password);
      return { session: { ...session, isSudo: true } };
    },
  },
  {
    outputFields: (t) => ({ session: t.field({ type: ViewerSession, resolve: ({ session }) => session }) }),
  },
);

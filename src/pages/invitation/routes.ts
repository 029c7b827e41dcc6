import { type Context, Hono } from "hono";
import { acceptInvitation } from "../../auth/invitations/accept-invitation.ts";
import { readInvitation } from "../../auth/invitations/read-invitation.ts";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { attempt } from "../http/attempt.ts";
import { parseOptional } from "../http/form-values.ts";
import { leaveSession } from "../http/leave-session.ts";
import { pageRoute } from "../http/page-route.ts";
import { type SubmittedForm, readForm } from "../http/read-form.ts";
import type { PagesServices } from "../pages-services.ts";
import { formErrors } from "../parts/form-errors.ts";
import { NEW_PASSWORD_LABELS } from "../parts/new-password.ts";
import { type InvitationProps, invalidInvitationView, invitationView } from "./view.ts";

const LABELS = { ...NEW_PASSWORD_LABELS, name: "Name" };

/** /users/invitation/:token: lets an invited person create their account. Viewing the page doesn't use up the link. */
export function invitationRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/invitation/:token", {
    GET: async (c) => {
      const invitation = await readInvitation(services, getToken(c));
      if (invitation === null) return answerPage(c, invalidInvitationView());
      return answerPage(c, invitationView({ ...invitation, ...createEmptyProps(services) }));
    },
    POST: async (c) => accept(services, c, await readForm(c)),
  });
  return app;
}

async function accept(services: PagesServices, c: Context<HttpEnv>, form: SubmittedForm): Promise<Response> {
  const tried = await attempt(() =>
    acceptInvitation(
      services,
      {
        token: getToken(c),
        name: parseOptional(form.one("name")),
        password: form.one("password"),
        passwordConfirmation: form.one("password_confirmation"),
      },
      getClientInfo(c),
    ),
  );
  if (tried.error !== null) {
    const invitation = await readInvitation(services, getToken(c));
    if (invitation === null) return answerPage(c, invalidInvitationView());
    const shown = { ...invitation, ...createEmptyProps(services), name: form.one("name") };
    const errors = formErrors(tried.error, LABELS);
    return answerFormError(c, invitationView({ ...shown, errors }), tried.error);
  }
  if (tried.result === "invalid") return answerPage(c, invalidInvitationView());
  await leaveSession(services, c);
  return goTo(c, "/users/log-in?notice=welcome");
}

function createEmptyProps({
  passwords,
}: PagesServices): Pick<InvitationProps, "name" | "minLength" | "errors"> {
  return { name: "", minLength: passwords.min, errors: null };
}

function getToken(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}

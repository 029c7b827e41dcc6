import { type Context, Hono } from "hono";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseChoice, parseOptional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { PagesServices } from "../../pages-services.ts";
import { formErrors } from "../../parts/form-errors.ts";
import { confirmPasswordPath } from "../../parts/unlock.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { listRolesUpTo, toVisitor } from "../frame.ts";
import { showInvitationLink } from "./show-invitation-link.ts";
import { type InviteProps, inviteView } from "./invite-view.ts";

const ReadInviter = graphql(
  `
    query ReadInviter {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

const InviteUser = graphql(`
  mutation InviteUser($input: InviteUserInput!) {
    inviteUser(input: $input) {
      link
    }
  }
`);

const PATH = "/settings/members/invite";
const EMPTY = { email: "", name: "", role: "OPERATOR" };
const LABELS = { email: "Email", name: "Name", role: "Role" };

/** /settings/members/invite: invites a member. */
export function inviteRoutes({ mailer }: PagesServices): Hono<PageEnv> {
  const isMailed = mailer.isProvider;
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => {
      if (!requireUser(c.get("ctx")).session.isSudo) return goTo(c, confirmPasswordPath(PATH));
      return answerPage(c, await page(c, { typed: EMPTY, errors: null, isMailed }));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const typed = { email: form.one("email"), name: form.one("name"), role: form.one("role") };
      const tried = await attempt(() => invite(c, typed));
      if (tried.error === null) return tried.result;
      const errors = formErrors(tried.error, LABELS);
      return answerFormError(c, await page(c, { typed, errors, isMailed }), tried.error);
    },
  });
  return app;
}

async function invite(c: Context<PageEnv>, typed: InviteProps["typed"]): Promise<Response> {
  const input = {
    email: typed.email.trim(),
    name: parseOptional(typed.name),
    role: parseChoice("role", typed.role, listRolesUpTo(requireUser(c.get("ctx")).role)),
  };
  const { link } = (await execute(c.get("ctx"), InviteUser, { input })).inviteUser;
  return link === null ? goTo(c, "/settings/members?notice=invited") : showInvitationLink(c, link);
}

async function page(c: Context<PageEnv>, shown: Pick<InviteProps, "typed" | "errors" | "isMailed">) {
  const data = await execute(c.get("ctx"), ReadInviter, {});
  const roles = listRolesUpTo(requireUser(c.get("ctx")).role);
  return inviteView({ ...shown, visitor: toVisitor(data), roles });
}

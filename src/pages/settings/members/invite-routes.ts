import { type Context, Hono } from "hono";
import { requirePerson } from "../../../domain/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerRefusal, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { oneOf, optional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { confirmPasswordPath } from "../../parts/unlock.ts";
import { VisitorFields, rolesUpTo, visitorFrom } from "../frame.ts";
import { type InviteProps, inviteView } from "./invite-view.ts";

const ReadInviter = graphql(
  `
    query ReadInviter {
      ...VisitorFields
    }
  `,
  [VisitorFields],
);

const InviteUser = graphql(`
  mutation InviteUser($input: InviteUserInput!) {
    inviteUser(input: $input) {
      clientMutationId
    }
  }
`);

const PATH = "/settings/members/invite";
const LABELS = { email: "Email", name: "Name", role: "Role" };

/** /settings/members/invite: makes somebody a member. */
export function inviteRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => {
      if (!requirePerson(c.get("ctx")).session.isSudo) return goTo(c, confirmPasswordPath(PATH));
      return answerPage(c, await page(c, { email: "", name: "", role: "OPERATOR" }, null));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const typed = { email: form.one("email"), name: form.one("name"), role: form.one("role") };
      const tried = await attempt(() => invite(c, typed));
      if (tried.refusal === null) return goTo(c, "/settings/members?notice=invited");
      const errors = formErrors(tried.refusal, LABELS);
      return answerRefusal(c, await page(c, typed, errors), tried.refusal);
    },
  });
  return app;
}

async function invite(c: Context<PageEnv>, typed: InviteProps["typed"]): Promise<void> {
  const input = {
    email: typed.email.trim(),
    name: optional(typed.name),
    role: oneOf("role", typed.role, rolesUpTo(requirePerson(c.get("ctx")).role)),
  };
  await execute(c.get("ctx"), InviteUser, { input });
}

async function page(c: Context<PageEnv>, typed: InviteProps["typed"], errors: FormErrors | null) {
  const data = await execute(c.get("ctx"), ReadInviter, {});
  return inviteView({
    visitor: visitorFrom(data),
    typed,
    roles: rolesUpTo(requirePerson(c.get("ctx")).role),
    errors,
  });
}

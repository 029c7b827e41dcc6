import { type Context, Hono } from "hono";
import { canUsePassword } from "../../../auth/oidc/admit-password.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { passwordView } from "./view.ts";

const ReadAccount = graphql(
  `
    query ReadAccount {
      ...ViewerFields
      viewer {
        user {
          email
        }
      }
    }
  `,
  [ViewerFields],
);

const ChangePassword = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      clientMutationId
    }
  }
`);

const LABELS = {
  currentPassword: "The current password",
  newPassword: "The new password",
  newPasswordConfirmation: "The repeated password",
};

/** /settings/password: changes the user's own password. */
export function passwordRoutes(minLength: number): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/password", {
    GET: async (c) => answerPage(c, await page(c, { minLength, errors: null })),
    POST: async (c) => {
      const form = await readForm(c);
      const input = {
        currentPassword: form.one("current_password"),
        newPassword: form.one("password"),
        newPasswordConfirmation: form.one("password_confirmation"),
      };
      const tried = await attempt(() => execute(c.get("ctx"), ChangePassword, { input }));
      if (tried.error === null) return goTo(c, "/settings/password?notice=changed");
      const errors = formErrors(tried.error, LABELS);
      return answerFormError(c, await page(c, { minLength, errors }), tried.error);
    },
  });
  return app;
}

async function page(c: Context<PageEnv>, shown: { minLength: number; errors: FormErrors | null }) {
  const data = await execute(c.get("ctx"), ReadAccount, {});
  return passwordView({
    ...shown,
    isUsed: await canUsePassword(c.get("ctx")),
    visitor: toVisitor(data),
    email: data.viewer.user?.email ?? "",
    notice: c.req.query("notice"),
  });
}

import { type Context, Hono } from "hono";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { PagesServices } from "../../pages-services.ts";
import { formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { type EmailProps, emailView } from "./view.ts";

const ReadAddress = graphql(
  `
    query ReadAddress {
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

const RequestEmailChange = graphql(`
  mutation RequestEmailChange($email: String!) {
    requestEmailChange(input: { email: $email }) {
      clientMutationId
    }
  }
`);

/** /settings/email: requests a change of the email address. */
export function emailRoutes({ mailer: { isProvider: isMailed } }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/email", {
    GET: async (c) => answerPage(c, await page(c, { typed: "", errors: null, isMailed })),
    POST: async (c) => {
      const typed = (await readForm(c)).one("email");
      const email = typed.trim();
      const tried = await attempt(() => execute(c.get("ctx"), RequestEmailChange, { email }));
      if (tried.error === null) return goTo(c, "/settings/email?notice=sent");
      const errors = formErrors(tried.error, { email: "New address" });
      return answerFormError(c, await page(c, { typed, errors, isMailed }), tried.error);
    },
  });
  return app;
}

async function page(c: Context<PageEnv>, shown: Pick<EmailProps, "typed" | "errors" | "isMailed">) {
  const data = await execute(c.get("ctx"), ReadAddress, {});
  return emailView({
    ...shown,
    visitor: toVisitor(data),
    current: data.viewer.user?.email ?? null,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    notice: c.req.query("notice"),
  });
}

import { type Context, Hono } from "hono";
import { createNotFoundError } from "../../../domain/kernel/errors.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseOptional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { profileView } from "./view.ts";

const ReadProfile = graphql(
  `
    query ReadProfile {
      ...ViewerFields
      viewer {
        user {
          name
          email
          role
          createdAt
        }
      }
    }
  `,
  [ViewerFields],
);

const UpdateProfile = graphql(`
  mutation UpdateProfile($name: String) {
    updateProfile(input: { name: $name }) {
      clientMutationId
    }
  }
`);

/** /settings: the user's own profile. */
export function profileRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings", {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const name = (await readForm(c)).one("name");
      const tried = await attempt(() => execute(c.get("ctx"), UpdateProfile, { name: parseOptional(name) }));
      if (tried.error === null) return goTo(c, "/settings?notice=saved");
      const errors = formErrors(tried.error, { name: "Name" });
      return answerFormError(c, await page(c, { name, errors }), tried.error);
    },
  });
  return app;
}

async function page(c: Context<PageEnv>, typed: { name: string; errors: FormErrors } | null) {
  const data = await execute(c.get("ctx"), ReadProfile, {});
  const { user } = data.viewer;
  if (user === null) throw createNotFoundError("account");
  return profileView({
    visitor: toVisitor(data),
    name: typed?.name ?? user.name ?? "",
    user,
    notice: c.req.query("notice"),
    errors: typed?.errors ?? null,
  });
}

import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { VisitorFields, getNow, toVisitor } from "../frame.ts";
import { sessionsView } from "./view.ts";

const ListSessions = graphql(
  `
    query ListSessions {
      ...VisitorFields
      sessions {
        uuid
        ip
        userAgent
        createdAt
        lastSeenAt
        expiresAt
        remembered
        current
      }
    }
  `,
  [VisitorFields],
);

const RevokeSession = graphql(`
  mutation RevokeSession($id: ID!) {
    revokeSession(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const RevokeOtherSessions = graphql(`
  mutation RevokeOtherSessions {
    revokeOtherSessions(input: {}) {
      clientMutationId
    }
  }
`);

/** /settings/sessions: the user's own sessions. */
export function sessionRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/sessions", {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return goTo(c, `/settings/sessions?notice=${tried.result}`);
      return answerFormError(c, await page(c, formErrors(tried.error, {})), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<string> {
  switch (form.one("act")) {
    case "revoke":
      await execute(c.get("ctx"), RevokeSession, { id: toGlobalId("Session", form.one("id")) });
      return "revoked";
    case "revoke-others":
      await execute(c.get("ctx"), RevokeOtherSessions, {});
      return "others-revoked";
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function page(c: Context<PageEnv>, errors: FormErrors | null) {
  const data = await execute(c.get("ctx"), ListSessions, {});
  return sessionsView({
    visitor: toVisitor(data),
    sessions: data.sessions,
    now: getNow(c),
    notice: c.req.query("notice"),
    errors,
  });
}

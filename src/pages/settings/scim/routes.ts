import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseOptional, parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import type { PagesServices } from "../../pages-services.ts";
import { isKeyActive } from "../api-keys/key-status.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { type ScimProps, scimTokenMadeView, scimView } from "./view.ts";

const ListScimTokens = graphql(
  `
    query ListScimTokens {
      ...ViewerFields
      scimTokens {
        uuid
        label
        last4
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
      }
    }
  `,
  [ViewerFields],
);

const RotateScimToken = graphql(`
  mutation RotateScimToken($input: RotateScimTokenInput!) {
    rotateScimToken(input: $input) {
      token
    }
  }
`);

const RevokeScimToken = graphql(`
  mutation RevokeScimToken($id: ID!) {
    revokeScimToken(input: { id: $id }) {
      clientMutationId
    }
  }
`);

type Typed = ScimProps["typed"];

const PATH = "/settings/scim";
const EMPTY: Typed = { label: "", overlapSeconds: "3600" };
const LABELS = { label: "Name", overlapSeconds: "The overlap" };

/** /settings/scim: the tokens of the identity provider. */
export function scimRoutes({ baseUrl }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) =>
      answerPage(c, await page(c, { typed: EMPTY, errors: null, scimUrl: getScimUrl(baseUrl()) })),
    POST: async (c) => {
      const form = await readForm(c);
      const scimUrl = getScimUrl(baseUrl());
      const tried = await attempt(() => act(c, form, scimUrl));
      if (tried.error === null) return tried.result;
      const typed = form.one("act") === "rotate" ? readTyped(form) : EMPTY;
      const errors = formErrors(tried.error, LABELS);
      return answerFormError(c, await page(c, { typed, errors, scimUrl }), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm, scimUrl: string): Promise<Response> {
  switch (form.one("act")) {
    case "rotate": {
      const { label, overlapSeconds } = readTyped(form);
      const input = {
        label: parseOptional(label),
        overlapSeconds: parseWholeNumber("overlapSeconds", overlapSeconds),
      };
      const { rotateScimToken } = await execute(c.get("ctx"), RotateScimToken, { input });
      const visitor = toVisitor(await execute(c.get("ctx"), ListScimTokens, {}));
      const secret = rotateScimToken.token;
      return answerPage(c, scimTokenMadeView({ visitor, secret, scimUrl }));
    }
    case "revoke":
      await execute(c.get("ctx"), RevokeScimToken, { id: toGlobalId("ScimToken", form.one("id")) });
      return goTo(c, `${PATH}?notice=revoked`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

/** The form for the first token has no overlap field. */
function readTyped(form: SubmittedForm): Typed {
  const overlap = form.one("overlap_seconds");
  return { label: form.one("label"), overlapSeconds: overlap === "" ? EMPTY.overlapSeconds : overlap };
}

async function page(
  c: Context<PageEnv>,
  shown: { typed: Typed; errors: FormErrors | null; scimUrl: string },
) {
  const data = await execute(c.get("ctx"), ListScimTokens, {});
  const { role, session } = requireUser(c.get("ctx"));
  const now = getNow(c);
  return scimView({
    ...shown,
    visitor: toVisitor(data),
    tokens: data.scimTokens.filter((token) => isKeyActive(token, now)),
    isOwner: role === "owner",
    isSudo: session.isSudo,
    now,
    notice: c.req.query("notice"),
  });
}

/** The base URL to enter at the identity provider. */
function getScimUrl(baseUrl: string): string {
  return `${baseUrl}/scim/v2`;
}

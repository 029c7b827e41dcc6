import { type Context, Hono } from "hono";
import { invalid } from "../../../domain/errors.ts";
import { requirePerson } from "../../../domain/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerRefusal, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { optional, wholeNumberIn } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type Form, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import type { PagesServices } from "../../pages-services.ts";
import { isAlive } from "../api-keys/key-status.ts";
import { VisitorFields, nowOf, visitorFrom } from "../frame.ts";
import { type ScimProps, scimTokenMadeView, scimView } from "./view.ts";

const ListScimTokens = graphql(
  `
    query ListScimTokens {
      ...VisitorFields
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
  [VisitorFields],
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

/** /settings/scim: the tokens with which the identity provider manages members. */
export function scimRoutes({ baseUrl }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) =>
      answerPage(c, await page(c, { typed: EMPTY, errors: null, scimUrl: scimUrlOf(baseUrl()) })),
    POST: async (c) => {
      const form = await readForm(c);
      const scimUrl = scimUrlOf(baseUrl());
      const tried = await attempt(() => act(c, form, scimUrl));
      if (tried.refusal === null) return tried.result;
      const typed = form.one("act") === "rotate" ? typedIn(form) : EMPTY;
      const errors = formErrors(tried.refusal, LABELS);
      return answerRefusal(c, await page(c, { typed, errors, scimUrl }), tried.refusal);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: Form, scimUrl: string): Promise<Response> {
  switch (form.one("act")) {
    case "rotate": {
      const { label, overlapSeconds } = typedIn(form);
      const input = {
        label: optional(label),
        overlapSeconds: wholeNumberIn("overlapSeconds", overlapSeconds),
      };
      const { rotateScimToken } = await execute(c.get("ctx"), RotateScimToken, { input });
      const visitor = visitorFrom(await execute(c.get("ctx"), ListScimTokens, {}));
      const secret = rotateScimToken.token;
      return answerPage(c, scimTokenMadeView({ visitor, secret, scimUrl }));
    }
    case "revoke":
      await execute(c.get("ctx"), RevokeScimToken, { id: toGlobalId("ScimToken", form.one("id")) });
      return goTo(c, `${PATH}?notice=revoked`);
    default:
      throw invalid("act", "is unknown");
  }
}

/** The form for the first token has no overlap. */
function typedIn(form: Form): Typed {
  const overlap = form.one("overlap_seconds");
  return { label: form.one("label"), overlapSeconds: overlap === "" ? EMPTY.overlapSeconds : overlap };
}

async function page(
  c: Context<PageEnv>,
  shown: { typed: Typed; errors: FormErrors | null; scimUrl: string },
) {
  const data = await execute(c.get("ctx"), ListScimTokens, {});
  const { role, session } = requirePerson(c.get("ctx"));
  const now = nowOf(c);
  return scimView({
    ...shown,
    visitor: visitorFrom(data),
    tokens: data.scimTokens.filter((token) => isAlive(token, now)),
    isOwner: role === "owner",
    isSudo: session.isSudo,
    now,
    notice: c.req.query("notice"),
  });
}

/** What the identity provider is given. */
function scimUrlOf(baseUrl: string): string {
  return `${baseUrl}/scim/v2`;
}

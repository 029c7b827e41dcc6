import { type Context, Hono } from "hono";
import { BACKCHANNEL_PATH, CALLBACK_PATH, LOGGED_OUT_PATH } from "../../../auth/oidc/oidc-services.ts";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import type { Ctx } from "../../../domain/kernel/context.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import type { Html } from "../../html.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseOptional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { PagesServices } from "../../pages-services.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { LABELS, type SignInProps, signInView } from "./view.ts";

const ReadSignIn = graphql(
  `
    query ReadSignIn {
      ...ViewerFields
      signInProvider {
        issuer
        clientId
        hasClientSecret
        createsViewers
        servesOwners
        enforced
        breakGlassOwner {
          uuid
        }
      }
      users(first: 100, filter: { role: OWNER, status: ACTIVE }) {
        nodes {
          uuid
          name
          email
          confirmedAt
        }
      }
      signInDomains {
        uuid
        domain
        recordName
        recordValue
        verifiedAt
      }
    }
  `,
  [ViewerFields],
);

const SetProvider = graphql(`
  mutation SetSignInProvider($input: SetSignInProviderInput!) {
    setSignInProvider(input: $input) {
      clientMutationId
    }
  }
`);

const DeleteProvider = graphql(`
  mutation DeleteSignInProvider {
    deleteSignInProvider(input: {}) {
      clientMutationId
    }
  }
`);

const AddDomain = graphql(`
  mutation AddSignInDomain($domain: String!) {
    addSignInDomain(input: { domain: $domain }) {
      clientMutationId
    }
  }
`);

const VerifyDomain = graphql(`
  mutation VerifySignInDomain($id: ID!) {
    verifySignInDomain(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const DeleteDomain = graphql(`
  mutation DeleteSignInDomain($id: ID!) {
    deleteSignInDomain(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const PATH = "/settings/sign-in";

type Refused = { typed: SignInProps["typed"] | null; errors: FormErrors };

/** /settings/sign-in: the workspace's provider, and its domains. */
export function signInRoutes({ baseUrl }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => answerPage(c, await page(c, baseUrl(), null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return goTo(c, `${PATH}?notice=${tried.result}`);
      const typed = ["save", "add"].includes(form.one("act")) ? readTyped(form) : null;
      const refused = { typed, errors: formErrors(tried.error, LABELS) };
      return answerFormError(c, await page(c, baseUrl(), refused), tried.error);
    },
  });
  return app;
}

function readTyped(form: SubmittedForm): SignInProps["typed"] {
  return {
    issuer: form.one("issuer").trim(),
    clientId: form.one("client_id").trim(),
    createsViewers: form.one("creates_viewers") === "true",
    domain: form.one("domain"),
  };
}

/** Sets the provider as it is, enforced or not. */
async function enforce(ctx: Ctx, change: { enforced: boolean; breakGlassOwnerId?: string }): Promise<void> {
  const { signInProvider: provider } = await execute(ctx, ReadSignIn, {});
  if (provider === null) throw createFieldError("enforced", "needs a provider");
  const { issuer, clientId, createsViewers } = provider;
  await execute(ctx, SetProvider, { input: { issuer, clientId, createsViewers, ...change } });
}

/** @returns the notice to show. */
async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<string> {
  const ctx = c.get("ctx");
  const id = toGlobalId("SignInDomain", form.one("id"));
  switch (form.one("act")) {
    case "save": {
      const { issuer, clientId, createsViewers } = readTyped(form);
      const clientSecret = parseOptional(form.one("client_secret"));
      const input = { issuer, clientId, createsViewers, ...(clientSecret !== null && { clientSecret }) };
      await execute(ctx, SetProvider, { input });
      return "saved";
    }
    case "enforce": {
      const breakGlassOwnerId = toGlobalId("User", form.one("break_glass_owner"));
      await enforce(ctx, { enforced: true, breakGlassOwnerId });
      return "enforced";
    }
    case "allow":
      await enforce(ctx, { enforced: false });
      return "allowed";
    case "remove":
      await execute(ctx, DeleteProvider, {});
      return "removed";
    case "add":
      await execute(ctx, AddDomain, { domain: form.one("domain") });
      return "added";
    case "verify":
      await execute(ctx, VerifyDomain, { id });
      return "verified";
    case "delete":
      await execute(ctx, DeleteDomain, { id });
      return "deleted";
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function page(c: Context<PageEnv>, baseUrl: string, refused: Refused | null): Promise<Html> {
  const data = await execute(c.get("ctx"), ReadSignIn, {});
  const { signInProvider: provider, signInDomains: domains } = data;
  const owners = data.users.nodes
    .filter(({ confirmedAt }) => confirmedAt !== null)
    .map(({ uuid, name, email }) => ({ uuid, name: [name, email].filter(Boolean).join(", ") }));
  const { id: own } = requireUser(c.get("ctx"));
  const stored = {
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    domain: "",
    createsViewers: provider?.createsViewers ?? false,
  };
  return signInView({
    visitor: toVisitor(data),
    provider,
    domains,
    redirectUri: baseUrl + CALLBACK_PATH,
    loggedOutUri: baseUrl + LOGGED_OUT_PATH,
    backchannelUri: baseUrl + BACKCHANNEL_PATH,
    owners,
    breakGlassOwner: provider?.breakGlassOwner?.uuid ?? own,
    typed: refused?.typed ?? stored,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    notice: c.req.query("notice"),
    errors: refused?.errors ?? null,
  });
}

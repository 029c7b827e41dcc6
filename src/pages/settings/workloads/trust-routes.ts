import { type Context, Hono } from "hono";
import { createFieldError, createNotFoundError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import { getUuidParam } from "../../http/uuid-param.ts";
import type { PageEnv } from "../../page-env.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { WORKLOADS } from "./list-view.ts";
import { type TrustTyped, readTyped, toInput, trustFormErrors } from "./trust-input.ts";
import { type Trust, trustView } from "./trust-view.ts";

const ReadTrusts = graphql(
  `
    query ReadTrusts {
      ...ViewerFields
      workloadTrusts {
        uuid
        name
        agentName
        issuer
        audience
        claimPatterns {
          claim
          pattern
        }
        jwks
        jwksUri
        scopes
        lifetimeSeconds
        reusable
        enabled
        createdAt
        lastUsedAt
      }
    }
  `,
  [ViewerFields],
);

const UpdateTrust = graphql(`
  mutation UpdateTrust($input: UpdateWorkloadTrustInput!) {
    updateWorkloadTrust(input: $input) {
      clientMutationId
    }
  }
`);

const DeleteTrust = graphql(`
  mutation DeleteTrust($id: ID!) {
    deleteWorkloadTrust(input: { id: $id }) {
      clientMutationId
    }
  }
`);

/** /settings/workloads/:id: shows, changes, disables and deletes a trust. */
export function workloadTrustRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, `${WORKLOADS.section}/:id`, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      const typed = form.one("act") === "update" ? readTyped(form) : null;
      const errors = trustFormErrors(tried.error);
      return answerFormError(c, await page(c, { typed, errors }), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const uuid = getUuidParam(c, "workload trust");
  const id = toGlobalId("WorkloadTrust", uuid);
  switch (form.one("act")) {
    case "update":
      await execute(ctx, UpdateTrust, { input: { id, ...toInput(readTyped(form)) } });
      return goTo(c, `${WORKLOADS.section}/${uuid}?notice=saved`);
    case "enable":
      await execute(ctx, UpdateTrust, { input: { id, enabled: true } });
      return goTo(c, `${WORKLOADS.section}/${uuid}?notice=enabled`);
    case "disable":
      await execute(ctx, UpdateTrust, { input: { id, enabled: false } });
      return goTo(c, `${WORKLOADS.section}/${uuid}?notice=disabled`);
    case "delete":
      await execute(ctx, DeleteTrust, { id });
      return goTo(c, `${WORKLOADS.section}?notice=deleted`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function page(c: Context<PageEnv>, refused: { typed: TrustTyped | null; errors: FormErrors } | null) {
  const uuid = getUuidParam(c, "workload trust");
  const data = await execute(c.get("ctx"), ReadTrusts, {});
  const trust = data.workloadTrusts.find((one) => one.uuid === uuid);
  if (trust === undefined) throw createNotFoundError("workload trust");
  return trustView({
    visitor: toVisitor(data),
    trust,
    typed: refused?.typed ?? toTyped(trust),
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
    errors: refused?.errors ?? null,
  });
}

function toTyped({ name, issuer, audience, claimPatterns, jwks, ...trust }: Trust): TrustTyped {
  return {
    name,
    agentHandle: "",
    issuer,
    audience,
    jwks: jwks ?? "",
    scopes: trust.scopes,
    reusable: trust.reusable,
    claimPatterns: claimPatterns.map(({ claim, pattern }) => `${claim}=${pattern}`).join("\n"),
    lifetimeMinutes: String(trust.lifetimeSeconds / 60),
  };
}

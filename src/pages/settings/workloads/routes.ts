import { type Context, Hono } from "hono";
import { type DomainError, createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseLines, parseOptional, parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { PagesServices } from "../../pages-services.ts";
import { formErrors } from "../../parts/form-errors.ts";
import { VisitorFields, getNow, toVisitor } from "../frame.ts";
import { PRESETS, type Preset, type TrustTyped } from "./presets.ts";
import { type WorkloadsProps, workloadsView } from "./view.ts";

const ListTrusts = graphql(
  `
    query ListTrusts {
      ...VisitorFields
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
        scopes
        enabled
        lastUsedAt
      }
    }
  `,
  [VisitorFields],
);

const CreateTrust = graphql(`
  mutation CreateTrust($input: CreateWorkloadTrustInput!) {
    createWorkloadTrust(input: $input) {
      clientMutationId
    }
  }
`);

const EnableTrust = graphql(`
  mutation EnableTrust($id: ID!, $enabled: Boolean!) {
    updateWorkloadTrust(input: { id: $id, enabled: $enabled }) {
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

const PATH = "/settings/workloads";
const LABELS = {
  ...{ name: "Name", agentHandle: "The agent's handle", issuer: "The issuer", audience: "The audience" },
  ...{ claimPatterns: "Claims", jwks: "Keys", scopes: "Scopes", lifetimeSeconds: "The lifetime" },
};

/** /settings/workloads: the issuers whose tokens workloads exchange for access tokens. */
export function workloadRoutes({ baseUrl }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => {
      const preset = findPreset(c.req.query("preset"));
      const typed = createTyped(preset, baseUrl());
      return answerPage(c, await page(c, { preset, typed, errors: null, tokenUrl: getTokenUrl(baseUrl()) }));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      const preset = findPreset(form.one("preset"));
      const typed = form.one("act") === "create" ? readTyped(form) : createTyped(preset, baseUrl());
      const errors = formErrors(toFormError(tried.error), LABELS);
      const tokenUrl = getTokenUrl(baseUrl());
      return answerFormError(c, await page(c, { preset, typed, errors, tokenUrl }), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const id = toGlobalId("WorkloadTrust", form.one("id"));
  switch (form.one("act")) {
    case "create":
      await execute(ctx, CreateTrust, { input: toInput(readTyped(form)) });
      return goTo(c, `${PATH}?notice=created`);
    case "enable":
      await execute(ctx, EnableTrust, { id, enabled: true });
      return goTo(c, `${PATH}?notice=enabled`);
    case "disable":
      await execute(ctx, EnableTrust, { id, enabled: false });
      return goTo(c, `${PATH}?notice=disabled`);
    case "delete":
      await execute(ctx, DeleteTrust, { id });
      return goTo(c, `${PATH}?notice=deleted`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

function findPreset(id: string | undefined): Preset {
  const [first] = PRESETS;
  const found = PRESETS.find((preset) => preset.id === id) ?? first;
  if (found === undefined) throw new Error("there are no presets");
  return found;
}

function createTyped({ typed }: Preset, audience: string): TrustTyped {
  return {
    ...{ name: "", agentHandle: "", issuer: "", audience, claimPatterns: "sub=", jwks: "" },
    ...{ scopes: [], lifetimeMinutes: "15", reusable: false },
    ...typed,
  };
}

function readTyped(form: SubmittedForm): TrustTyped {
  return {
    ...{ name: form.one("name"), agentHandle: form.one("agent_handle"), issuer: form.one("issuer").trim() },
    ...{ audience: form.one("audience").trim(), claimPatterns: form.one("claim_patterns") },
    ...{ jwks: form.one("jwks"), scopes: form.all("scopes"), lifetimeMinutes: form.one("lifetime_minutes") },
    reusable: form.one("reusable") === "true",
  };
}

function toInput({ claimPatterns, lifetimeMinutes, jwks, scopes, ...typed }: TrustTyped) {
  return {
    ...{ ...typed, name: typed.name.trim(), agentHandle: typed.agentHandle.trim(), scopes: [...scopes] },
    claimPatterns: parseLines(claimPatterns).map(toPattern),
    jwks: parseOptional(jwks),
    lifetimeSeconds: parseWholeNumber("lifetimeSeconds", lifetimeMinutes) * 60,
  };
}

/** A claim's name has no `=`; a pattern may have some. */
function toPattern(line: string) {
  const [claim = "", ...pattern] = line.split("=");
  return { claim: claim.trim(), pattern: pattern.join("=").trim() };
}

/** Only the agent can be missing in the form. */
function toFormError(error: DomainError): DomainError {
  return error.code === "not_found" ? createFieldError("agentHandle", "doesn't belong to any agent") : error;
}

type Shown = Pick<WorkloadsProps, "preset" | "typed" | "errors" | "tokenUrl">;

async function page(c: Context<PageEnv>, shown: Shown) {
  const data = await execute(c.get("ctx"), ListTrusts, {});
  return workloadsView({
    ...shown,
    visitor: toVisitor(data),
    trusts: data.workloadTrusts,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
  });
}

function getTokenUrl(baseUrl: string): string {
  return `${baseUrl}/oauth/token`;
}

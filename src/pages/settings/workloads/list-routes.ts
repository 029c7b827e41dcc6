import { type Context, Hono } from "hono";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { PagesServices } from "../../pages-services.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { WORKLOADS, type WorkloadsProps, workloadsView } from "./list-view.ts";
import { PRESETS, type Preset } from "./presets.ts";
import { type TrustTyped, newTrustFormErrors, readTyped, toInput } from "./trust-input.ts";

const ListTrusts = graphql(
  `
    query ListTrusts {
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
        scopes
        enabled
        lastUsedAt
      }
    }
  `,
  [ViewerFields],
);

const CreateTrust = graphql(`
  mutation CreateTrust($input: CreateWorkloadTrustInput!) {
    createWorkloadTrust(input: $input) {
      clientMutationId
    }
  }
`);

/** /settings/workloads: the issuers whose tokens workloads exchange for access tokens. */
export function workloadListRoutes({ baseUrl }: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, WORKLOADS.section, {
    GET: async (c) => {
      const preset = findPreset(c.req.query("preset"));
      const typed = createTyped(preset, baseUrl());
      return answerPage(c, await page(c, { preset, typed, errors: null, tokenUrl: getTokenUrl(baseUrl()) }));
    },
    POST: async (c) => {
      const form = await readForm(c);
      const typed = readTyped(form);
      const tried = await attempt(() => create(c, typed));
      if (tried.error === null) return tried.result;
      const preset = findPreset(form.one("preset"));
      const errors = newTrustFormErrors(tried.error);
      const tokenUrl = getTokenUrl(baseUrl());
      return answerFormError(c, await page(c, { preset, typed, errors, tokenUrl }), tried.error);
    },
  });
  return app;
}

async function create(c: Context<PageEnv>, typed: TrustTyped): Promise<Response> {
  const input = { ...toInput(typed), agentHandle: typed.agentHandle.trim() };
  await execute(c.get("ctx"), CreateTrust, { input });
  return goTo(c, `${WORKLOADS.section}?notice=created`);
}

function findPreset(id: string | undefined): Preset {
  const [first] = PRESETS;
  const found = PRESETS.find((preset) => preset.id === id) ?? first;
  if (found === undefined) throw new Error("there are no presets");
  return found;
}

function createTyped({ typed }: Preset, audience: string): TrustTyped {
  return {
    name: "",
    agentHandle: "",
    issuer: "",
    audience,
    claimPatterns: "sub=",
    jwks: "",
    scopes: [],
    lifetimeMinutes: "15",
    reusable: false,
    ...typed,
  };
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

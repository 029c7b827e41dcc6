import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import type { Ctx } from "../../../domain/kernel/context.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { RETENTION_DAYS, type RetentionSetting } from "../../../domain/kernel/retention-days.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseOptional, parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { DROP_RULE_LABELS, formatDropRule, parseDropRules } from "./drop-rules-card.ts";
import { GATEWAY_LABELS } from "./gateway-card.ts";
import { TRACE_LABELS } from "./traces-card.ts";
import { type WorkspaceProps, workspaceView } from "./view.ts";

const ReadWorkspace = graphql(
  `
    query ReadWorkspace {
      ...ViewerFields
      workspace {
        uuid
        slug
        name
        eventRetentionDays
        messageRetentionDays
        taskRetentionDays
        agentCommandRetentionDays
        missionRetentionDays
        evalRunRetentionDays
        budgetRetentionDays
        decisionRetentionDays
        traceRetentionDays
        contentRetentionDays
        approvalRetentionDays
        mcpCallRetentionDays
        webhookDeliveryRetentionDays
        auditRetentionDays
        revokesKeysOfSuspendedCreator
        requireMfa
        decisionLog
        decisionDurability
        hookAllow
        captureContent
        auditContentReads
        spansPerDay
        createdAt
      }
      quotas {
        name
        limit
        used
        measuredAt
      }
      spanDropRules {
        scope
        name
        dropped
        lastDroppedAt
      }
    }
  `,
  [ViewerFields],
);

const UpdateWorkspace = graphql(`
  mutation UpdateWorkspace($input: UpdateWorkspaceInput!) {
    updateWorkspace(input: $input) {
      clientMutationId
    }
  }
`);

const SetSpanDropRules = graphql(`
  mutation SetSpanDropRules($rules: [SpanDropRuleInput!]!) {
    setSpanDropRules(input: { rules: $rules }) {
      clientMutationId
    }
  }
`);

const PATH = "/settings/workspace";
// The keys of the table are the names of the settings.
const RETENTION_SETTINGS = Object.keys(RETENTION_DAYS) as RetentionSetting[];
const LABELS = {
  name: "Name",
  ...GATEWAY_LABELS,
  ...TRACE_LABELS,
  ...DROP_RULE_LABELS,
  ...mapSettings((setting) => `Days to keep ${RETENTION_DAYS[setting].of}`),
};

/** /settings/workspace: settings for the whole workspace. */
export function workspaceRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(async () => save(c.get("ctx"), form));
      if (tried.error === null) return goTo(c, `${PATH}?notice=saved`);
      const errors = formErrors(tried.error, LABELS);
      return answerFormError(c, await page(c, { typed: readTyped(form), errors }), tried.error);
    },
  });
  return app;
}

async function save(ctx: Ctx, form: SubmittedForm): Promise<void> {
  if (form.one("act") === "drop_rules") {
    await execute(ctx, SetSpanDropRules, { rules: parseDropRules(form.one("rules")) });
  } else await execute(ctx, UpdateWorkspace, { input: toInput(form) });
}

function toInput(form: SubmittedForm) {
  switch (form.one("act")) {
    case "general":
      return {
        name: form.one("name").trim(),
        ...mapSettings((setting) => parseDays(form, setting)),
      };
    case "gateway":
      return {
        decisionLog: parseChoice(form, "decisionLog", ["ALL", "SAMPLED"]),
        decisionDurability: parseChoice(form, "decisionDurability", ["BUFFERED", "STRICT"]),
        hookAllow: parseChoice(form, "hookAllow", ["ALLOW", "NO_DECISION"]),
      };
    case "traces":
      return {
        captureContent: parseChoice(form, "captureContent", ["FULL", "REDACTED", "OFF"]),
        auditContentReads: form.one("auditContentReads") === "true",
        spansPerDay: parseWholeNumber("spansPerDay", form.one("spansPerDay")),
      };
    case "keys":
      return { revokesKeysOfSuspendedCreator: form.one("revokes_keys") === "true" };
    case "mfa":
      return { requireMfa: form.one("require_mfa") === "true" };
    default:
      throw createFieldError("act", "is unknown");
  }
}

/** @throws {DomainError} validation_failed. */
function parseChoice<Choice extends string>(
  form: SubmittedForm,
  name: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === form.one(name));
  if (chosen === undefined) throw createFieldError(name, `must be one of ${choices.join(", ")}`);
  return chosen;
}

function parseDays(form: SubmittedForm, setting: RetentionSetting): number | null {
  const typed = form.one(RETENTION_DAYS[setting].column);
  if (setting === "auditRetentionDays" && parseOptional(typed) === null) return null;
  return parseWholeNumber(setting, typed);
}

/** What was entered in the form that was submitted. */
function readTyped(form: SubmittedForm): Partial<WorkspaceProps["typed"]> {
  switch (form.one("act")) {
    case "general":
      return {
        name: form.one("name"),
        days: mapSettings((setting) => form.one(RETENTION_DAYS[setting].column)),
      };
    case "traces":
      return { spansPerDay: form.one("spansPerDay") };
    case "drop_rules":
      return { dropRules: form.one("rules") };
    default:
      return {};
  }
}

function mapSettings<Value>(read: (setting: RetentionSetting) => Value): Record<RetentionSetting, Value> {
  // Every setting has an entry.
  return Object.fromEntries(RETENTION_SETTINGS.map((setting) => [setting, read(setting)])) as Record<
    RetentionSetting,
    Value
  >;
}

async function page(
  c: Context<PageEnv>,
  refused: { typed: Partial<WorkspaceProps["typed"]>; errors: FormErrors } | null,
) {
  const data = await execute(c.get("ctx"), ReadWorkspace, {});
  const { workspace } = data;
  const { role, session } = requireUser(c.get("ctx"));
  const stored = {
    name: workspace.name,
    spansPerDay: String(workspace.spansPerDay),
    dropRules: data.spanDropRules.map(formatDropRule).join("\n"),
    days: mapSettings((setting) => String(workspace[setting] ?? "")),
  };
  return workspaceView({
    visitor: toVisitor(data),
    workspace,
    rules: data.spanDropRules,
    quotas: data.quotas,
    typed: { ...stored, ...refused?.typed },
    isOwner: role === "owner",
    isSudo: session.isSudo,
    notice: c.req.query("notice"),
    errors: refused?.errors ?? null,
  });
}

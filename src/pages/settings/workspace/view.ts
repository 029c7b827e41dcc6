import { RETENTION_DAYS, type RetentionSetting } from "../../../domain/kernel/retention-days.ts";
import { type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { checkbox, field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { type ShownDropRule, dropRulesCard } from "./drop-rules-card.ts";
import { type GatewaySettings, gatewayCard } from "./gateway-card.ts";
import { type ShownQuota, quotasCard } from "./quotas-card.ts";
import { type TraceSettings, tracesCard } from "./traces-card.ts";

/** Additional notes on some settings. */
const NOTES: Record<RetentionSetting, string> = {
  eventRetentionDays: "Clients that were offline for longer have to reload their lists.",
  messageRetentionDays: "Messages of unfinished tasks and missions are kept.",
  taskRetentionDays: "Tasks that unfinished work refers to are kept.",
  agentCommandRetentionDays: "",
  missionRetentionDays: "Missions that no robot accepts within this time expire.",
  evalRunRetentionDays:
    "Including their results. Baselines, and runs that others were compared with, are kept.",
  budgetRetentionDays: "Counted from the end of a budget's period, and of a reservation.",
  decisionRetentionDays: "Of what the gateway allowed, denied and asked people about.",
  traceRetentionDays: "A million spans take about 1.5 GB.",
  contentRetentionDays: "Prompts, answers and arguments. Never longer than the traces themselves.",
  approvalRetentionDays:
    "Executions of which nobody knows how they ended are kept, and approvals with kept executions.",
  webhookDeliveryRetentionDays: "What is not delivered yet is kept.",
  mcpCallRetentionDays: "Calls of which nobody knows how they ended are kept.",
  auditRetentionDays:
    "Leave empty to keep forever. Only entries exported with agent-ops audit export are deleted.",
};

export type WorkspaceProps = {
  visitor: Visitor;
  workspace: GatewaySettings &
    TraceSettings & {
      uuid: string;
      slug: string;
      createdAt: string;
      revokesKeysOfSuspendedCreator: boolean;
      requireMfa: boolean;
    };
  /** The entered values. */
  typed: { name: string; spansPerDay: string; dropRules: string; days: Record<RetentionSetting, string> };
  rules: readonly ShownDropRule[];
  quotas: readonly ShownQuota[];
  isOwner: boolean;
  isSudo: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

export function workspaceView(props: WorkspaceProps): Html {
  const { visitor, workspace, isOwner, notice, errors } = props;
  return settingsPage(
    {
      title: "General",
      section: "/settings/workspace",
      visitor,
      hasErrors: errors !== null,
      lead: "Settings for everyone in this workspace.",
    },
    html`${findNotice({ saved: "The settings have been saved." }, notice)} ${errorSummary(errors)}
      ${!props.isSudo && unlock("/settings/workspace")}
      <section class="card">${generalForm(props)}</section>
      ${tracesCard({ ...props, spansPerDay: props.typed.spansPerDay })}
      ${dropRulesCard({ ...props, typed: props.typed.dropRules })} ${gatewayCard(props)}
      ${isOwner && html`${mfaCard(props)} ${keysCard(props)}`} ${quotasCard(props.quotas)}
      <section class="card">
        <h2 class="card-head">Identifiers</h2>
        <dl class="facts">
          <dt>Workspace ID</dt>
          <dd><code>${workspace.uuid}</code></dd>
          <dt>Short name</dt>
          <dd><code>${workspace.slug}</code></dd>
          <dt>Created</dt>
          <dd>${time(workspace.createdAt)}</dd>
        </dl>
      </section>`,
  );
}

function generalForm(props: WorkspaceProps): Html {
  const { typed, errors, isSudo } = props;
  return html`<form method="post">
    <fieldset class="form" ${attributes({ disabled: !isSudo })}>
      ${hiddenFields({ act: "general" })}
      <div class="narrow">
        ${field({ id: "name", label: "Name", value: typed.name, errors, input: { required: true, maxlength: 100 } })}
      </div>
      <fieldset class="stack-s" aria-describedby="retention-hint">
        <legend class="legend">Retention, in days</legend>
        <p class="hint" id="retention-hint">What is older is deleted.</p>
        <div class="columns columns-even">
          ${Object.entries(RETENTION_DAYS).map(([setting, kept]) => retentionField(props, setting, kept))}
        </div>
      </fieldset>
      <div class="actions"><button class="button button-primary">Save</button></div>
    </fieldset>
  </form>`;
}

function retentionField(
  { typed, errors }: WorkspaceProps,
  setting: string,
  { column, of, min, max }: { column: string; of: string; min: number; max: number },
): Html {
  // The keys of the table are the names of the settings.
  const key = setting as RetentionSetting;
  return field({
    id: setting,
    name: column,
    label: `${of.charAt(0).toUpperCase()}${of.slice(1)}`,
    value: typed.days[key],
    hint: `${min} to ${max.toLocaleString("en")}. ${NOTES[key]}`.trim(),
    errors,
    input: { inputmode: "numeric", required: key !== "auditRetentionDays", "data-short": true },
  });
}

function mfaCard({ workspace, isSudo }: WorkspaceProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Second factors</h2>
    <form method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "mfa" })}
        ${checkbox({
          id: "require-mfa",
          name: "require_mfa",
          label: "Require a second factor of members who log in with a password",
          hint: "Those without one can do nothing else until they have added it, from now on. Sign-in by your own provider is not affected.",
          checked: workspace.requireMfa,
        })}
        <div class="actions"><button class="button">Save</button></div>
      </fieldset>
    </form>
  </section>`;
}

function keysCard({ workspace, isSudo }: WorkspaceProps): Html {
  return html`<section class="card">
    <h2 class="card-head">API keys of suspended or deleted members</h2>
    ${keysForm(workspace.revokesKeysOfSuspendedCreator, isSudo)}
  </section>`;
}

function keysForm(checked: boolean, isSudo: boolean): Html {
  return html`<form method="post">
    <fieldset class="form" ${attributes({ disabled: !isSudo })}>
      ${hiddenFields({ act: "keys" })}
      ${checkbox({
        id: "revokes-keys",
        name: "revokes_keys",
        label: "Revoke a member's API keys when the member is suspended or deleted",
        hint: "If off, the keys keep working and are flagged, so that agents don't stop when people leave.",
        checked,
      })}
      <div class="actions"><button class="button">Save</button></div>
    </fieldset>
  </form>`;
}

import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { checkbox, field, textArea } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, findNotice } from "../../parts/notice.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { scopeBoxes } from "../api-keys/scope-boxes.ts";
import { PRESETS, type Preset, type TrustTyped } from "./presets.ts";

export type TrustRow = {
  uuid: string;
  name: string;
  agentName: string;
  issuer: string;
  audience: string;
  claimPatterns: readonly { claim: string; pattern: string }[];
  scopes: readonly string[];
  enabled: boolean;
  lastUsedAt: string | null;
};

export type WorkloadsProps = {
  visitor: Visitor;
  trusts: readonly TrustRow[];
  /** Where access tokens are asked for. */
  tokenUrl: string;
  preset: Preset;
  typed: TrustTyped;
  isSudo: boolean;
  now: Date;
  notice: string | undefined;
  errors: FormErrors | null;
};

const SECTION = "/settings/workloads";
const NOTICES = {
  created: "The issuer is trusted. Workloads send the id below as client_id.",
  deleted: "The trust is deleted, and its access tokens are revoked.",
  disabled: "The trust is disabled, and its access tokens are revoked.",
  enabled: "The trust is enabled.",
};

export function workloadsView(props: WorkloadsProps): Html {
  const { visitor, trusts, tokenUrl, isSudo, now, errors } = props;
  return settingsPage(
    {
      ...{ title: "Workload identity", section: SECTION, visitor, hasErrors: errors !== null },
      lead: "Lets CI jobs and pods get access tokens for the tokens that they have anyway, without a stored secret.",
    },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)}
      <section class="card stack-s">
        <h2>Token URL</h2>
        <p class="soft">
          Workloads exchange their issuer's token here for an access token of at most 15 minutes.
        </p>
        <code class="secret">${tokenUrl}</code>
      </section>
      ${trusts.length === 0 ? emptyList("No trust yet", "Add one for each place where workloads run.") : table("Trusted issuers", columns(now, isSudo), trusts)}
      ${isSudo ? trustForm(props) : unlock(SECTION)}`,
  );
}

function columns(now: Date, isChangeable: boolean): HtmlColumn<TrustRow>[] {
  return [
    { title: "Trust", cell: trustCell },
    { title: "Accepts", cell: ruleCell },
    {
      title: "Status",
      cell: ({ enabled }) => (enabled ? badge("good", "Enabled") : badge("plain", "Disabled")),
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
    ...(isChangeable ? [{ title: "Actions", isEnd: true, cell: actions }] : []),
  ];
}

function trustCell({ uuid, name, agentName, scopes }: TrustRow): Content {
  return html`<span class="primary">${name}</span>
    <code class="soft">${uuid}</code>
    <span class="soft">acts as ${agentName}</span>
    <span class="tags">${scopes.map((scope) => html`<span class="tag">${scope}</span> `)}</span>`;
}

function ruleCell({ issuer, audience, claimPatterns }: TrustRow): Content {
  return html`<span class="soft">${issuer}</span>
    <span class="soft">for ${audience}</span>
    ${claimPatterns.map(({ claim, pattern }) => html`<code>${claim}=${pattern}</code> `)}`;
}

function actions({ uuid, name, enabled }: TrustRow): Content {
  const act = enabled ? "disable" : "enable";
  return html`<form method="post">
      ${hiddenFields({ act, id: uuid })}
      <button class="button button-small">
        ${enabled ? "Disable" : "Enable"}<span class="visually-hidden"> ${name}</span>
      </button>
    </form>
    ${confirm({
      title: html`Delete<span class="visually-hidden"> ${name}</span>`,
      means: "Its access tokens stop working at once.",
      button: "Delete now",
      fields: hiddenFields({ act: "delete", id: uuid }),
      isSmall: true,
    })}`;
}

function trustForm({ preset, typed, errors }: WorkloadsProps): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Trust an issuer</h2>
      <p class="soft">${preset.hint}</p>
      <nav class="actions" aria-label="Where the workload runs">
        ${PRESETS.map(
          ({ id, title }) =>
            html`<a
              class="button button-small"
              ${attributes({ href: `${SECTION}?preset=${id}`, "aria-current": id === preset.id ? "true" : null })}
              >${title}</a
            >`,
        )}
      </nav>
    </div>
    <form class="form" method="post">
      ${hiddenFields({ act: "create", preset: preset.id })}
      <div class="columns">${whoFields(typed, errors)}</div>
      <div class="columns">${ruleFields(typed, errors)}</div>
      ${scopeBoxes({ ticked: typed.scopes, hint: "What access tokens may do.", errors })}
      <div class="columns">${lifeFields(typed, errors)}</div>
      <div class="actions"><button class="button button-primary">Trust issuer</button></div>
    </form>
  </section>`;
}

const PLAIN = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

function whoFields({ name, agentHandle }: TrustTyped, errors: FormErrors | null): Html {
  return html`${field({ id: "name", label: "Name", value: name, errors, hint: "Such as “Deployments of the shop”.", input: { required: true, maxlength: 100, autocomplete: "off" } })}
  ${field({
    ...{ id: "agentHandle", name: "agent_handle", label: "Acts as agent", value: agentHandle, errors },
    hint: "The handle of an existing agent.",
    input: { ...PLAIN, required: true, maxlength: 64 },
  })}`;
}

function ruleFields({ issuer, audience, claimPatterns, jwks }: TrustTyped, errors: FormErrors | null): Html {
  return html`${field({ id: "issuer", label: "Issuer", value: issuer, errors, hint: html`The claim <code>iss</code>, exactly.`, input: { ...PLAIN, required: true } })}
  ${field({ id: "audience", label: "Audience", value: audience, errors, hint: html`The claim <code>aud</code>, exactly. The workload asks its issuer for it.`, input: { ...PLAIN, required: true } })}
  ${textArea({
    ...{ id: "claimPatterns", name: "claim_patterns", label: "Claims", value: claimPatterns, errors },
    hint: html`One claim per line, as <code>sub=repo:acme/shop:*</code>. All must match, and
      <code>sub</code> is needed: an issuer such as GitHub serves everybody.`,
    input: { ...PLAIN, rows: 4, required: true },
  })}
  ${textArea({
    ...{ id: "jwks", label: "Keys (optional)", value: jwks, errors },
    hint: "The issuer's public keys as a JSON Web Key Set. Leave empty to read them by its discovery document.",
    input: { ...PLAIN, rows: 4 },
  })}`;
}

function lifeFields({ lifetimeMinutes, reusable }: TrustTyped, errors: FormErrors | null): Html {
  return html`${field({ id: "lifetimeSeconds", name: "lifetime_minutes", label: "Access tokens live, minutes", value: lifetimeMinutes, errors, type: "number", input: { min: 1, max: 15, required: true } })}
  ${checkbox({ id: "reusable", label: "An issuer's token may be exchanged more than once", checked: reusable, hint: "For issuers whose tokens last in a file, as those of Kubernetes. Whoever copies one can use it until it expires." })}`;
}

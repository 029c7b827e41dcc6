import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, findNotice } from "../../parts/notice.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { PRESETS, type Preset } from "./presets.ts";
import { trustFields } from "./trust-form.ts";
import type { TrustTyped } from "./trust-input.ts";

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

/** The section of both pages. */
export const WORKLOADS = { title: "Workload identity", section: "/settings/workloads" };

const NOTICES = {
  created: "The issuer is trusted. Workloads send the id below as client_id.",
  deleted: "The trust is deleted, and its access tokens are revoked.",
};

export function workloadsView(props: WorkloadsProps): Html {
  const { visitor, trusts, tokenUrl, isSudo, now, errors } = props;
  return settingsPage(
    {
      ...WORKLOADS,
      visitor,
      hasErrors: errors !== null,
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
      ${trusts.length === 0 ? emptyList("No trust yet", "Add one for each place where workloads run.") : table("Trusted issuers", columns(now), trusts)}
      ${isSudo ? trustForm(props) : unlock(WORKLOADS.section)}`,
  );
}

function columns(now: Date): HtmlColumn<TrustRow>[] {
  return [
    { title: "Trust", cell: trustCell },
    { title: "Accepts", cell: ruleCell },
    {
      title: "Status",
      cell: trustStatus,
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
  ];
}

export function trustStatus({ enabled }: Pick<TrustRow, "enabled">): Html {
  return enabled ? badge("good", "Enabled") : badge("plain", "Disabled");
}

function trustCell({ uuid, name, agentName, scopes }: TrustRow): Content {
  return html`<a class="primary" href="${WORKLOADS.section}/${uuid}">${name}</a>
    <code class="soft">${uuid}</code>
    <span class="soft">acts as ${agentName}</span>
    <span class="tags">${scopes.map((scope) => html`<span class="tag">${scope}</span> `)}</span>`;
}

function ruleCell({ issuer, audience, claimPatterns }: TrustRow): Content {
  return html`<span class="soft">${issuer}</span>
    <span class="soft">for ${audience}</span>
    ${claimPatterns.map(({ claim, pattern }) => html`<code>${claim}=${pattern}</code> `)}`;
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
              ${attributes({ href: `${WORKLOADS.section}?preset=${id}`, "aria-current": id === preset.id ? "true" : null })}
              >${title}</a
            >`,
        )}
      </nav>
    </div>
    <form class="form" method="post">
      ${hiddenFields({ preset: preset.id })} ${trustFields(typed, { errors, isNew: true })}
      <div class="actions"><button class="button button-primary">Trust issuer</button></div>
    </form>
  </section>`;
}

import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { time, timeAgo } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { type TrustRow, WORKLOADS, trustStatus } from "./list-view.ts";
import { trustFields } from "./trust-form.ts";
import type { TrustTyped } from "./trust-input.ts";

/** A trust with all that can be changed. */
export type Trust = TrustRow & {
  jwks: string | null;
  jwksUri: string | null;
  lifetimeSeconds: number;
  reusable: boolean;
  createdAt: string;
};

export type TrustProps = {
  visitor: Visitor;
  trust: Trust;
  typed: TrustTyped;
  isSudo: boolean;
  now: Date;
  notice: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  saved: "The trust has been saved.",
  disabled: "The trust is disabled, and its access tokens are revoked.",
  enabled: "The trust is enabled.",
};

export function trustView(props: TrustProps): Html {
  const { visitor, trust, isSudo, errors } = props;
  return settingsPage(
    { ...WORKLOADS, title: trust.name, visitor, hasErrors: errors !== null },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)} ${facts(props)}
    ${isSudo ? html`${editForm(props)} ${switchForm(trust)} ${deleteForm(trust)}` : unlock(`${WORKLOADS.section}/${trust.uuid}`)}`,
  );
}

function facts({ trust, now }: TrustProps): Html {
  return html`<section class="card">
    <h2 class="visually-hidden">Details</h2>
    <dl class="facts">
      <dt>Status</dt>
      <dd>${trustStatus(trust)}</dd>
      <dt>client_id</dt>
      <dd><code>${trust.uuid}</code></dd>
      <dt>Acts as</dt>
      <dd>${trust.agentName}</dd>
      ${
        trust.jwksUri !== null &&
        html`<dt>Keys</dt>
          <dd><code>${trust.jwksUri}</code></dd>`
      }
      <dt>Created</dt>
      <dd>${time(trust.createdAt)}</dd>
      <dt>Last used</dt>
      <dd>${timeAgo(trust.lastUsedAt, now)}</dd>
    </dl>
  </section>`;
}

function editForm({ typed, errors }: TrustProps): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Edit</h2>
      <p class="soft">
        Every change but that of the name revokes its access tokens: workloads get others by the new rules.
      </p>
    </div>
    <form class="form" method="post">
      ${hiddenFields({ act: "update" })} ${trustFields(typed, { errors, isNew: false })}
      <div class="actions"><button class="button button-primary">Save</button></div>
    </form>
  </section>`;
}

function switchForm({ enabled }: Trust): Html {
  const [act, title] = enabled ? ["disable", "Disable"] : ["enable", "Enable"];
  return html`<section class="card">
    <div class="card-head">
      <h2>${title}</h2>
      <p class="soft">
        ${enabled ? "Its access tokens stop working at once, and workloads get none until it is enabled." : "Workloads get access tokens again."}
      </p>
    </div>
    <form method="post">
      ${hiddenFields({ act })}
      <button class="button">${title} trust</button>
    </form>
  </section>`;
}

function deleteForm({ name }: Trust): Html {
  return html`<section class="card card-danger">
    <div class="card-head">
      <h2>Delete</h2>
      <p class="soft">If nothing that its issuer vouches for needs access any more.</p>
    </div>
    ${confirm({
      title: "Delete trust",
      means: `The access tokens of “${name}” stop working at once.`,
      button: "Delete now",
      fields: hiddenFields({ act: "delete" }),
    })}
  </section>`;
}

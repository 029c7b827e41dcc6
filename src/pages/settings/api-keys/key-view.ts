import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { field, selectField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, notice, findNotice } from "../../parts/notice.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import type { KeyRow } from "./list-view.ts";
import { isKeyActive, keyStatus } from "./key-status.ts";
import { KEYS, allowlistField } from "./new-view.ts";
import { scopeBoxes } from "./scope-boxes.ts";

/** A key, whole, but for its secret. */
export type Key = KeyRow & {
  scopes: readonly string[];
  ipAllowlist: readonly string[];
  agentHandle: string;
  createdBy: { name: string };
  createdAt: string;
  lastUsedIp: string | null;
  revokedReason: string | null;
};

/** What a key's page shows. */
export type KeyProps = {
  visitor: Visitor;
  key: Key;
  typed: { name: string; scopes: readonly string[]; ipAllowlist: string };
  isSudo: boolean;
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  saved: "The key is saved.",
  revoked: "The key is revoked, and every token that it minted.",
};

const OVERLAPS = [
  { value: "0", title: "Nothing: the old key ends now" },
  { value: "3600", title: "An hour" },
  { value: "86400", title: "A day" },
  { value: "604800", title: "A week" },
  { value: "2592000", title: "30 days" },
];

/** An API key, and what can be done with it. */
export function keyView(props: KeyProps): Html {
  const { visitor, key, isSudo, now, errors } = props;
  const mayChange = isKeyActive(key, now);
  return settingsPage(
    { ...KEYS, title: key.name, visitor, hasErrors: errors !== null },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)}
    ${key.creatorSuspended && mayChange && notice("warn", "Whoever made this key is suspended. It works on until it is revoked.")}
    ${facts(props)} ${mayChange && !isSudo && unlock(`${KEYS.section}/${key.uuid}`)}
    ${mayChange && isSudo && html`${editForm(props)} ${key.rotatedToUuid === null && rotateForm()} ${revokeForm(key)}`}`,
  );
}

function facts({ key, now }: KeyProps): Html {
  return html`<section class="card">
    <h2 class="visually-hidden">Facts</h2>
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        ${keyStatus(key, now)} ${key.primary && badge("plain", "Primary")}
        ${key.revokedReason !== null && html`<span class="soft">${key.revokedReason}</span>`}
      </dd>
      <dt>Key</dt>
      <dd><code>${key.prefix}.…${key.last4}</code></dd>
      <dt>Acts as agent</dt>
      <dd><code>${key.agentHandle}</code></dd>
      <dt>Scopes</dt>
      <dd class="tags">${key.scopes.map((scope) => html`<span class="tag">${scope}</span> `)}</dd>
      <dt>Allowed addresses</dt>
      <dd class="tags">
        ${key.ipAllowlist.length === 0 ? "All" : key.ipAllowlist.map((entry) => html`<span class="tag">${entry}</span> `)}
      </dd>
      <dt>Created</dt>
      <dd>${time(key.createdAt)} by ${key.createdBy.name}</dd>
      <dt>Expires</dt>
      <dd>${key.expiresAt === null ? "Never" : time(key.expiresAt)}</dd>
      ${
        key.revokedAt !== null &&
        html`<dt>Revoked</dt>
          <dd>${time(key.revokedAt)}</dd>`
      }
      <dt>Last used</dt>
      <dd>
        ${timeAgo(key.lastUsedAt, now)}
        ${key.lastUsedIp !== null && html`<span class="soft">from ${key.lastUsedIp}</span>`}
      </dd>
      ${
        key.rotatedToUuid !== null &&
        html`<dt>Rotated to</dt>
          <dd><a href="${KEYS.section}/${key.rotatedToUuid}">the key after it</a></dd>`
      }
    </dl>
  </section>`;
}

function editForm({ key, typed, errors }: KeyProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Change</h2>
    <form class="form" method="post">
      ${hiddenFields({ act: "update" })}
      ${field({ id: "name", label: "Name", value: typed.name, errors, input: { required: true, maxlength: 100 } })}
      ${scopeBoxes({ offered: key.scopes, ticked: typed.scopes, hint: "Scopes can be taken from a key, and not given.", errors })}
      ${allowlistField(typed.ipAllowlist, errors)}
      <div class="actions"><button class="button button-primary">Save</button></div>
    </form>
  </section>`;
}

function rotateForm(): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Rotate</h2>
      <p class="soft">A new key takes its place. Tokens that the old one minted work on.</p>
    </div>
    <form class="form narrow" method="post">
      ${hiddenFields({ act: "rotate" })}
      ${selectField({
        id: "overlapSeconds",
        name: "overlap_seconds",
        label: "How long the old key works on",
        value: "86400",
        options: OVERLAPS,
        errors: null,
      })}
      <div class="actions"><button class="button">Rotate the key</button></div>
    </form>
  </section>`;
}

function revokeForm({ name }: Key): Html {
  return html`<section class="card card-danger">
    <div class="card-head">
      <h2>Revoke</h2>
      <p class="soft">For a key that leaked, or that nobody needs.</p>
    </div>
    ${confirm({
      title: "Revoke the key",
      means: `“${name}” ends at once, with every token that it minted and every socket under them.`,
      button: "Revoke it now",
      fields: hiddenFields({ act: "revoke" }),
    })}
  </section>`;
}

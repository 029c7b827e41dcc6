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

/** A key with all details except its secret. */
export type Key = KeyRow & {
  scopes: readonly string[];
  ipAllowlist: readonly string[];
  agentHandle: string;
  createdBy: { name: string };
  createdAt: string;
  lastUsedIp: string | null;
  revokedReason: string | null;
};

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
  saved: "The key has been saved.",
  revoked: "The key and all tokens it minted have been revoked.",
};

const OVERLAPS = [
  { value: "0", title: "Not at all" },
  { value: "3600", title: "1 hour" },
  { value: "86400", title: "1 day" },
  { value: "604800", title: "7 days" },
  { value: "2592000", title: "30 days" },
];

export function keyView(props: KeyProps): Html {
  const { visitor, key, isSudo, now, errors } = props;
  const mayChange = isKeyActive(key, now);
  return settingsPage(
    { ...KEYS, title: key.name, visitor, hasErrors: errors !== null },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)}
    ${key.creatorSuspended && mayChange && notice("warn", "The person who created this key is suspended. The key keeps working until you revoke it.")}
    ${facts(props)} ${mayChange && !isSudo && unlock(`${KEYS.section}/${key.uuid}`)}
    ${mayChange && isSudo && html`${editForm(props)} ${key.rotatedToUuid === null && rotateForm()} ${revokeForm(key)}`}`,
  );
}

function facts({ key, now }: KeyProps): Html {
  return html`<section class="card">
    <h2 class="visually-hidden">Details</h2>
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
          <dd><a href="${KEYS.section}/${key.rotatedToUuid}">the new key</a></dd>`
      }
    </dl>
  </section>`;
}

function editForm({ key, typed, errors }: KeyProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Edit</h2>
    <form class="form" method="post">
      ${hiddenFields({ act: "update" })}
      ${field({ id: "name", label: "Name", value: typed.name, errors, input: { required: true, maxlength: 100 } })}
      ${scopeBoxes({ offered: key.scopes, ticked: typed.scopes, hint: "You can remove scopes from a key, but not add any.", errors })}
      ${allowlistField(typed.ipAllowlist, errors)}
      <div class="actions"><button class="button button-primary">Save</button></div>
    </form>
  </section>`;
}

function rotateForm(): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Rotate</h2>
      <p class="soft">Replaces the key by a new one. Tokens minted by the old key keep working.</p>
    </div>
    <form class="form narrow" method="post">
      ${hiddenFields({ act: "rotate" })}
      ${selectField({
        id: "overlapSeconds",
        name: "overlap_seconds",
        label: "How long the old key keeps working",
        value: "86400",
        options: OVERLAPS,
        errors: null,
      })}
      <div class="actions"><button class="button">Rotate key</button></div>
    </form>
  </section>`;
}

function revokeForm({ name }: Key): Html {
  return html`<section class="card card-danger">
    <div class="card-head">
      <h2>Revoke</h2>
      <p class="soft">If the key has leaked or is no longer needed.</p>
    </div>
    ${confirm({
      title: "Revoke key",
      means: `“${name}” stops working at once, along with all tokens it minted and their open sockets.`,
      button: "Revoke now",
      fields: hiddenFields({ act: "revoke" }),
    })}
  </section>`;
}

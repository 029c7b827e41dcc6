import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field, selectField, textArea } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { secretCard } from "../../parts/secret.ts";
import { scopeBoxes } from "./scope-boxes.ts";

/** Entered values of the new key form. */
export type NewKeyTyped = {
  name: string;
  agentHandle: string;
  scopes: readonly string[];
  /** A number of days, or "" for never. */
  expiresInDays: string;
  /** One address or network per line. */
  ipAllowlist: string;
};

/** Shared by all pages about API keys. */
export const KEYS = {
  section: "/settings/api-keys",
  above: { href: "/settings/api-keys", title: "API keys" },
};

/** Expiry options for a new key. */
export const KEY_EXPIRIES = [
  { value: "7", title: "7 days" },
  { value: "30", title: "30 days" },
  { value: "90", title: "90 days" },
  { value: "365", title: "1 year" },
  { value: "", title: "Never" },
];

export function newKeyView({
  visitor,
  typed,
  errors,
}: {
  visitor: Visitor;
  typed: NewKeyTyped;
  errors: FormErrors | null;
}): Html {
  return settingsPage(
    { ...KEYS, title: "Create key", visitor, hasErrors: errors !== null },
    html`${errorSummary(errors)}
      <form class="card form" method="post">
        <div class="columns">${whoFields(typed, errors)}</div>
        ${scopeBoxes({ ticked: typed.scopes, hint: "What the key, and the tokens it mints, may do.", errors })}
        <div class="columns">
          ${selectField({
            id: "expiresAt",
            name: "expires_in_days",
            label: "Expires after",
            value: typed.expiresInDays,
            options: KEY_EXPIRIES,
            errors,
          })}
          ${allowlistField(typed.ipAllowlist, errors)}
        </div>
        <div class="actions">
          <button class="button button-primary">Create key</button>
          <a class="button" href="${KEYS.section}">Cancel</a>
        </div>
      </form>`,
  );
}

function whoFields(typed: NewKeyTyped, errors: FormErrors | null): Html {
  return html`${field({
    id: "name",
    label: "Name",
    value: typed.name,
    hint: "What the key is for, such as “Billing agents, production”.",
    errors,
    input: { required: true, maxlength: 100, autocomplete: "off" },
  })}
  ${field({
    id: "agentHandle",
    name: "agent_handle",
    label: "Acts as agent (optional)",
    value: typed.agentHandle,
    hint: "The handle of an existing agent. Leave empty to create a new agent.",
    errors,
    input: { maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false" },
  })}`;
}

/** The field for the addresses that may use a key. */
export function allowlistField(value: string, errors: FormErrors | null): Html {
  return textArea({
    id: "ipAllowlist",
    name: "ip_allowlist",
    label: "Allowed addresses (optional)",
    value,
    hint: html`One IP address or network per line, such as <code>10.0.0.0/8</code>. Leave empty to allow all.`,
    errors,
    input: { rows: 3, spellcheck: "false", autocapitalize: "none" },
  });
}

/** The only page that shows a key's secret. */
export function keyMadeView({
  visitor,
  name,
  uuid,
  secret,
  isRotated,
}: {
  visitor: Visitor;
  name: string;
  uuid: string;
  secret: string;
  isRotated: boolean;
}): Html {
  const title = isRotated ? "API key rotated" : "API key created";
  return settingsPage(
    { ...KEYS, title, visitor },
    secretCard({
      label: name,
      secret,
      next: html`<p class="soft small">
          Agents send it in a header: <code>Authorization: Bearer agk_…</code>
        </p>
        <div class="actions">
          <a class="button button-primary" href="${KEYS.section}/${uuid}">I have copied it</a>
        </div>`,
    }),
  );
}

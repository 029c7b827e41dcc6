import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field, selectField, textArea } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { secretCard } from "../../parts/secret.ts";
import { scopeBoxes } from "./scope-boxes.ts";

/** The form of a new key, as it was typed. */
export type NewKeyTyped = {
  name: string;
  agentHandle: string;
  scopes: readonly string[];
  /** Days, or "" for never. */
  expiresInDays: string;
  /** One address or network a line. */
  ipAllowlist: string;
};

/** Where every page about keys belongs. */
export const KEYS = {
  section: "/settings/api-keys",
  above: { href: "/settings/api-keys", title: "API keys" },
};

/** In how many days a new key may end. */
export const KEY_EXPIRIES = [
  { value: "7", title: "In 7 days" },
  { value: "30", title: "In 30 days" },
  { value: "90", title: "In 90 days" },
  { value: "365", title: "In a year" },
  { value: "", title: "Never" },
];

/** The page that creates a key. */
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
    { ...KEYS, title: "Create a key", visitor, hasErrors: errors !== null },
    html`${errorSummary(errors)}
      <form class="card form" method="post">
        <div class="columns">${whoFields(typed, errors)}</div>
        ${scopeBoxes({ ticked: typed.scopes, hint: "What the key may do, and the tokens that it mints.", errors })}
        <div class="columns">
          ${selectField({
            id: "expiresAt",
            name: "expires_in_days",
            label: "Expires",
            value: typed.expiresInDays,
            options: KEY_EXPIRIES,
            errors,
          })}
          ${allowlistField(typed.ipAllowlist, errors)}
        </div>
        <div class="actions">
          <button class="button button-primary">Create the key</button>
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
    hint: "What it is for, such as “Billing agents, production”.",
    errors,
    input: { required: true, maxlength: 100, autocomplete: "off" },
  })}
  ${field({
    id: "agentHandle",
    name: "agent_handle",
    label: "Acts as agent (optional)",
    value: typed.agentHandle,
    hint: "The handle of an agent that exists. Without one, a new agent is made.",
    errors,
    input: { maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false" },
  })}`;
}

/** The field for the addresses from which a key may be used. */
export function allowlistField(value: string, errors: FormErrors | null): Html {
  return textArea({
    id: "ipAllowlist",
    name: "ip_allowlist",
    label: "Allowed addresses (optional)",
    value,
    hint: html`One address or network a line, such as <code>10.0.0.0/8</code>. Empty allows all.`,
    errors,
    input: { rows: 3, spellcheck: "false", autocapitalize: "none" },
  });
}

/** The one page that shows a key's secret. */
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
  const title = isRotated ? "The key is rotated" : "The key is created";
  return settingsPage(
    { ...KEYS, title, visitor },
    secretCard({
      label: name,
      secret,
      next: html`<p class="soft small">
          Agents send it as a bearer: <code>Authorization: Bearer agk_…</code>
        </p>
        <div class="actions">
          <a class="button button-primary" href="${KEYS.section}/${uuid}">I have copied it</a>
        </div>`,
    }),
  );
}

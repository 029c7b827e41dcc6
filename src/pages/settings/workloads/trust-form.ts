import { type Html, html } from "../../html.ts";
import { checkbox, field, textArea } from "../../parts/field.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { scopeBoxes } from "../api-keys/scope-boxes.ts";
import type { TrustTyped } from "./trust-input.ts";

const PLAIN = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

/** The fields of a trust's form. */
export function trustFields(
  typed: TrustTyped,
  { errors, isNew }: { errors: FormErrors | null; isNew: boolean },
): Html {
  return html`<div class="columns">${nameField(typed, errors)} ${isNew && agentField(typed, errors)}</div>
    <div class="columns">${ruleFields(typed, errors)}</div>
    ${scopeBoxes({ ticked: typed.scopes, hint: "What access tokens may do.", errors })}
    <div class="columns">${lifeFields(typed, errors)}</div>`;
}

function nameField({ name }: TrustTyped, errors: FormErrors | null): Html {
  return field({
    id: "name",
    label: "Name",
    value: name,
    errors,
    hint: "Such as “Deployments of the shop”.",
    input: { required: true, maxlength: 100, autocomplete: "off" },
  });
}

function agentField({ agentHandle }: TrustTyped, errors: FormErrors | null): Html {
  return field({
    id: "agentHandle",
    name: "agent_handle",
    label: "Acts as agent",
    value: agentHandle,
    errors,
    hint: "The handle of an existing agent.",
    input: { ...PLAIN, required: true, maxlength: 64 },
  });
}

function ruleFields({ issuer, audience, claimPatterns, jwks }: TrustTyped, errors: FormErrors | null): Html {
  return html`${field({ id: "issuer", label: "Issuer", value: issuer, errors, hint: html`The claim <code>iss</code>, exactly.`, input: { ...PLAIN, required: true } })}
  ${field({ id: "audience", label: "Audience", value: audience, errors, hint: html`The claim <code>aud</code>, exactly. The workload asks its issuer for it.`, input: { ...PLAIN, required: true } })}
  ${textArea({
    id: "claimPatterns",
    name: "claim_patterns",
    label: "Claims",
    value: claimPatterns,
    errors,
    hint: html`One claim per line, as <code>sub=repo:acme/shop:*</code>. All must match, and
      <code>sub</code> is needed: an issuer such as GitHub serves everybody.`,
    input: { ...PLAIN, rows: 4, required: true },
  })}
  ${textArea({
    id: "jwks",
    label: "Keys (optional)",
    value: jwks,
    errors,
    hint: "The issuer's public keys as a JSON Web Key Set. Leave empty to read them by its discovery document.",
    input: { ...PLAIN, rows: 4 },
  })}`;
}

function lifeFields({ lifetimeMinutes, reusable }: TrustTyped, errors: FormErrors | null): Html {
  return html`${field({ id: "lifetimeSeconds", name: "lifetime_minutes", label: "Access tokens live, minutes", value: lifetimeMinutes, errors, type: "number", input: { min: 1, max: 15, required: true } })}
  ${checkbox({ id: "reusable", label: "An issuer's token may be exchanged more than once", checked: reusable, hint: "For issuers whose tokens last in a file, as those of Kubernetes. Whoever copies one can use it until it expires." })}`;
}

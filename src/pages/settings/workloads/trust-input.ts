import { type DomainError, createFieldError } from "../../../domain/kernel/errors.ts";
import { parseLines, parseOptional, parseWholeNumber } from "../../http/form-values.ts";
import type { SubmittedForm } from "../../http/read-form.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";

/** Entered values of a trust's form. */
export type TrustTyped = {
  name: string;
  agentHandle: string;
  issuer: string;
  audience: string;
  /** One claim and its pattern per line, as `sub=repo:acme/*`. */
  claimPatterns: string;
  jwks: string;
  scopes: readonly string[];
  lifetimeMinutes: string;
  reusable: boolean;
};

const LABELS = {
  name: "Name",
  agentHandle: "The agent's handle",
  issuer: "The issuer",
  audience: "The audience",
  claimPatterns: "Claims",
  jwks: "Keys",
  scopes: "Scopes",
  lifetimeSeconds: "The lifetime",
};

export function readTyped(form: SubmittedForm): TrustTyped {
  return {
    name: form.one("name"),
    agentHandle: form.one("agent_handle"),
    issuer: form.one("issuer").trim(),
    audience: form.one("audience").trim(),
    claimPatterns: form.one("claim_patterns"),
    jwks: form.one("jwks"),
    scopes: form.all("scopes"),
    lifetimeMinutes: form.one("lifetime_minutes"),
    reusable: form.one("reusable") === "true",
  };
}

/** The input of the mutations, except the agent: that of a trust can't change. */
export function toInput({ name, issuer, audience, claimPatterns, jwks, ...typed }: TrustTyped) {
  return {
    name: name.trim(),
    issuer,
    audience,
    jwks: parseOptional(jwks),
    scopes: [...typed.scopes],
    reusable: typed.reusable,
    claimPatterns: parseLines(claimPatterns).map(toPattern),
    lifetimeSeconds: parseWholeNumber("lifetimeSeconds", typed.lifetimeMinutes) * 60,
  };
}

/** A claim's name has no `=`; a pattern may have some. */
function toPattern(line: string) {
  const [claim = "", ...pattern] = line.split("=");
  return { claim: claim.trim(), pattern: pattern.join("=").trim() };
}

export function trustFormErrors(error: DomainError): FormErrors {
  return formErrors(error, LABELS);
}

/** In the form of a new trust, only the agent can be missing. */
export function newTrustFormErrors(error: DomainError): FormErrors {
  const isMissing = error.code === "not_found";
  return trustFormErrors(isMissing ? createFieldError("agentHandle", "doesn't belong to any agent") : error);
}

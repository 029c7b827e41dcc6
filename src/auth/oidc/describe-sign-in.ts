import type { SignInDomain, SignInProvider } from "../../db/generated/client.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";

type Told = Pick<AppendContent, "events"> & Required<Pick<AppendContent, "audit">>;

/** The event and audit event of a change of a provider. `changes` has no secrets. */
export function describeProvider(
  action: `sign_in_provider.${"set" | "deleted"}`,
  { id, issuer, generation }: Pick<SignInProvider, "id" | "issuer" | "generation">,
  changes: Record<string, unknown> = {},
): Told {
  return {
    events: [{ type: action, subjectType: "sign_in_provider", subjectId: id, data: { issuer, generation } }],
    audit: [{ action, targetType: "sign_in_provider", targetId: id, changes: { issuer, ...changes } }],
  };
}

/** The event and audit event of a change of a domain. */
export function describeDomain(
  action: `sign_in_domain.${"added" | "verified" | "deleted"}`,
  { id, domain }: Pick<SignInDomain, "id" | "domain">,
  changes: Record<string, unknown> = {},
): Told {
  return {
    events: [{ type: action, subjectType: "sign_in_domain", subjectId: id, data: { domain } }],
    audit: [{ action, targetType: "sign_in_domain", targetId: id, changes: { domain, ...changes } }],
  };
}

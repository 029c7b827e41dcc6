import type { CompiledPolicy } from "../policies/compile-policy.ts";

/**
 * Whether a request could be allowed or asked about, whatever its arguments.
 *
 * @param policies those in whose scope it is.
 */
export function isListed(policies: readonly CompiledPolicy[], fallback: "allow" | "deny"): boolean {
  const enforced = policies.filter(({ mode }) => mode === "enforce");
  if (enforced.some(({ effect, when }) => effect === "deny" && when === null)) return false;
  return fallback === "allow" || enforced.some(({ effect }) => effect !== "deny");
}

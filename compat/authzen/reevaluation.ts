/** What the denials of policies are called to a caller with an approval. */
const DENIED: ReadonlySet<string> = new Set([
  ...["POLICY_DENY", "POLICY_ERROR", "DEFAULT_DENY", "ARGUMENTS_MISSING", "REQUEST_UNUSABLE"],
  "APPROVAL_DENIED",
]);

/** How long a caller waits for people to decide. */
const RETRY_SECONDS = 5;

/** What a caller whose approval was of no use is to do: ask people anew, wait for them, or nothing. */
export function describeReevaluation({
  reason,
  requestableUntil,
}: {
  reason: string;
  requestableUntil: string | null;
}): Record<string, unknown> {
  // The approval is still to be decided.
  if (reason === "APPROVAL_REQUIRED") return { next_action: "retry", retry_after: RETRY_SECONDS };
  const next_action = requestableUntil === null ? "none" : "request";
  return { ...(DENIED.has(reason) && { reason: "policy_denied" }), next_action };
}

/**
 * An action as people say it: `api_key.created` is "API key created". One that is not known here is read in the same
 * way.
 */
export function describeAction(action: string): string {
  const known = PHRASES.get(action);
  if (known !== undefined) return known;
  const [subject = "", ...rest] = action.split(".");
  const noun = NOUNS.get(subject) ?? capitalize(toWords(subject));
  return [noun, ...rest.map(toWords)].join(" ");
}

/** Subjects whose words are not those of their code. */
const NOUNS = new Map([
  ["agent_command", "Command"],
  ["api_key", "API key"],
  ["audit", "Audit log"],
  ["eval_run", "Evaluation run"],
  ["mcp_server", "MCP server"],
  ["mcp_tool", "MCP tool"],
  ["reservation", "Budget reservation"],
  ["scim_token", "SCIM token"],
  ["stop", "Emergency stop"],
  ["webhook_endpoint", "Webhook"],
]);

const PHRASES = new Map([
  ["audit.deleted", "Old audit entries deleted"],
  ["mission.cancel_requested", "Mission cancellation requested"],
  ["session.confirmed", "Identity confirmed"],
  ["session.created", "Logged in"],
  ["session.reissued", "Session renewed"],
  ["session.reuse_detected", "Reuse of an old session detected"],
  ["task.cancel_requested", "Task cancellation requested"],
  ["user.codes_wrong", "Wrong codes entered"],
  ["user.factor_added", "Second factor added"],
  ["user.factor_removed", "Second factor removed"],
  ["user.factors_removed", "Second factors removed"],
  ["user.identity_bound", "Sign-in provider linked"],
  ["user.passkey_refused", "Passkey refused"],
  ["user.recovery_code_used", "Recovery code used"],
  ["user.recovery_codes_renewed", "Recovery codes renewed"],
  ["user.reset_link_sent", "Password reset link sent"],
]);

function toWords(code: string): string {
  return code.replaceAll("_", " ");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

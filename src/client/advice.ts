/** What can be done about a refusal that the client can do nothing about itself; null for others. */
export function adviceFor({ status, code }: { status: number; code: string }): string | null {
  if (status === 401)
    return "The token given to the client is unknown, has expired or was revoked: give it another API key, made in the workspace's settings or by `agent-ops key create`.";
  if (code === "token_limit")
    return "List them with GET /api/v1/agent_tokens and revoke those that nobody uses, or mint with `revoke_oldest`.";
  if (status !== 403) return null;
  return FORBIDDEN[code] ?? "The token given to the client may not do this: give it another API key.";
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  api_key_required:
    "To be an `agent` the client needs an API key (agk_…): give it one, or leave out `agent` where the token is the agent's own.",
  insufficient_scope:
    "Give the API key this scope in the workspace's settings, and name it where the client is given `scopes`.",
  ip_not_allowed: "Add this machine's address to those of the API key in the workspace's settings.",
  workspace_suspended: "Whoever runs the service can let it in again by `agent-ops workspace resume`.",
};

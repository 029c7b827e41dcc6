/** How long a coding agent waits for people. The server answers a little earlier. */
const TIMEOUT_SECONDS = 120;

/** Settings of a coding agent that asks before it uses a tool, and tells how that ended. */
export function toHookSettings(origin: string): object {
  const shared = {
    headers: { Authorization: "Bearer $AGENT_OPS_TOKEN" },
    allowedEnvVars: ["AGENT_OPS_TOKEN"],
  };
  const before = {
    type: "http",
    url: `${origin}/hooks/pre-tool-use?timeout=${TIMEOUT_SECONDS}`,
    timeout: TIMEOUT_SECONDS,
    ...shared,
    onFailure: "block",
  };
  const after = { type: "http", url: `${origin}/hooks/post-tool-use`, ...shared };
  const afterAny = [{ matcher: "*", hooks: [after] }];
  return {
    hooks: {
      PreToolUse: [{ matcher: "*", hooks: [before] }],
      PostToolUse: afterAny,
      PostToolUseFailure: afterAny,
    },
  };
}

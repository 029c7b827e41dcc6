/** A call of the hook API, and the decisions that don't block the tool. */
export type HookCall = { path: string; body: string; accepted: readonly string[] };

/** A denial tells why in stderr; after the tool has run, nothing can be denied any more. */
const PATHS: Record<string, string> = {
  PreToolUse: "/hooks/pre-tool-use",
  PostToolUse: "/hooks/post-tool-use",
  PostToolUseFailure: "/hooks/post-tool-use",
};

/**
 * Builds the call for what a coding agent wrote on stdin. Of a tool that has run, only what identifies it and its
 * error are sent.
 *
 * @throws {Error} for anything but a hook's JSON.
 */
export function buildHookCall(stdin: string): HookCall {
  const hook = parse(stdin);
  const { hook_event_name: event } = hook;
  const path = typeof event === "string" && Object.hasOwn(PATHS, event) ? PATHS[event] : undefined;
  if (path === undefined) throw new Error("the hook is for PreToolUse, PostToolUse and PostToolUseFailure");
  if (event === "PreToolUse") return { path, body: stdin, accepted: ["allow", "ask"] };
  return { path, body: JSON.stringify(pickOutcome(hook)), accepted: ["none"] };
}

function parse(stdin: string): Record<string, unknown> {
  let hook: unknown;
  try {
    hook = JSON.parse(stdin);
  } catch {
    throw new Error("stdin is not JSON");
  }
  if (typeof hook !== "object" || hook === null || Array.isArray(hook)) {
    throw new Error("stdin is not a JSON object");
  }
  // Any object that is no list.
  return hook as Record<string, unknown>;
}

const ERROR_LENGTH = 2000;

function pickOutcome({ hook_event_name, session_id, tool_use_id, error }: Record<string, unknown>) {
  const text = typeof error === "string" ? error.slice(0, ERROR_LENGTH) : undefined;
  return { hook_event_name, session_id, tool_use_id, error: text };
}

import type { Context } from "hono";
import type { HttpEnv } from "../../src/http/request.ts";

/** What a coding agent does with a tool: runs it, doesn't, or asks its user. `none` decides nothing. */
export type Permission = "allow" | "deny" | "ask" | "none";

/** Says what the answer means, which an empty object does not. `agent-ops-hook` accepts no answer without it. */
export const DECISION_HEADER = "agent-ops-decision";

/** A decision with its reason, which the user or the model is shown. `updatedInput` replaces the tool's input. */
export type HookDecision = { permission: Permission; reason: string; updatedInput?: object };

/** Answers with a decision in words, which both dialects understand if it is to deny. */
export function answerDecision<Env extends HttpEnv>(
  c: Context<Env>,
  { permission, reason, updatedInput }: HookDecision,
): Response {
  return answerHook(c, permission, {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: permission,
      permissionDecisionReason: reason,
      ...(updatedInput !== undefined && { updatedInput }),
    },
  });
}

/** Answers where there is nothing to decide. */
export function answerNothing<Env extends HttpEnv>(c: Context<Env>): Response {
  return answerHook(c, "none", {});
}

/** Answers with the JSON that coding agents read. Any other status than 200 would let the tool run. */
export function answerHook<Env extends HttpEnv>(
  c: Context<Env>,
  permission: Permission,
  body: object,
): Response {
  return c.body(JSON.stringify(body), 200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    [DECISION_HEADER]: permission,
  });
}

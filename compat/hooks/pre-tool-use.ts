import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import { createFieldError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { allowSilence } from "../../src/http/allow-silence.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { type HookDecision, answerDecision, answerHook } from "./hook-answer.ts";
import type { HooksEnv } from "./hooks-app.ts";
import { type Hold, readHold } from "./read-hold.ts";
import { type Hook, getSessionKey, isStrict, readHook } from "./read-hook.ts";
import { toToolId } from "./to-tool-id.ts";

const CheckToolUse = graphql(`
  mutation CheckToolUse($input: CheckGatewayInput!) {
    checked: checkGateway(input: $input) {
      check {
        id: uuid
        status
        reason
        policies
        hookAllow
        approval {
          id: uuid
          comment
        }
        execution {
          arguments
        }
      }
    }
  }
`);

type Check = ResultOf<typeof CheckToolUse>["checked"]["check"];

/**
 * Decides whether a coding agent may run a tool. Where policies ask, the call is held until people decide.
 *
 * @throws {DomainError} for whatever can't be decided, which must be answered with a denial.
 */
export async function decideToolUse(c: Context<HooksEnv>): Promise<Response> {
  const hold = readHold(c);
  const hook = await readHook(c);
  const ctx = c.get("ctx");
  ctx.canHold = true;
  allowSilence(c.env.incoming, hold.seconds);
  const { checked } = await execute(ctx, CheckToolUse, {
    input: {
      requestText: JSON.stringify(toRequest(hook)),
      waitSeconds: hold.seconds,
      acceptEdits: true,
      sessionKey: getSessionKey(hook),
    },
  });
  return answerCheck(c, checked.check, { hook, hold });
}

/** @throws {DomainError} validation_failed. */
function toRequest({ hook_event_name: event, tool_name: tool, tool_input: input, ...hook }: Hook) {
  if (event !== "PreToolUse") throw createFieldError("hook_event_name", "must be PreToolUse here");
  if (tool === undefined) throw createFieldError("tool_name", "is required");
  const { session_id: session, cwd, permission_mode: mode } = hook;
  return {
    action: { name: "tools/call", ...(input !== undefined && { properties: { arguments: input } }) },
    resource: { type: "tool", id: toToolId(tool) },
    context: { session, cwd: cwd ?? undefined, mode: mode ?? undefined },
  };
}

function answerCheck(
  c: Context<HooksEnv>,
  check: Check,
  { hook, hold }: { hook: Hook; hold: Hold },
): Response {
  const reason = `Agent Ops: ${describe(check)} (${check.id})`;
  switch (check.status) {
    case "ALLOWED":
      return answerAllowed(c, check, { reason, isBare: isStrict(hook) || check.hookAllow === "NO_DECISION" });
    case "DENIED":
      return answerDecision(c, { permission: "deny", reason });
    case "PENDING": {
      const permission = hold.onTimeout === "ask" && !isStrict(hook) ? "ask" : "deny";
      return answerDecision(c, { permission, reason });
    }
  }
}

/** @param how `isBare`: what may run as it is gets no decision in words. */
function answerAllowed(
  c: Context<HooksEnv>,
  { execution }: Check,
  { reason, isBare }: { reason: string; isBare: boolean },
): Response {
  const edited = execution?.arguments ?? null;
  const allowed: HookDecision = { permission: "allow", reason };
  if (edited === null) return isBare ? answerHook(c, "allow", {}) : answerDecision(c, allowed);
  if (isObject(edited)) return answerDecision(c, { ...allowed, updatedInput: edited });
  throw createFieldError("tool_input", "was changed by people to something that is no object");
}

const REASONS = {
  POLICY_ALLOW: "allowed by policy",
  DEFAULT_ALLOW: "allowed by default",
  APPROVAL_GRANTED: "approved by a person",
  APPROVAL_REQUIRED: "waits for a person to approve it; make the same call again to get the answer",
  APPROVAL_DENIED: "denied by a person",
  APPROVAL_EXPIRED: "nobody approved it in time, or the approval is over",
  APPROVAL_UNVERIFIABLE: "there is no such approval",
  OUT_OF_SCOPE: "approved for something else",
  POLICY_DENY: "denied by policy",
  POLICY_ERROR: "a policy could not be evaluated",
  DEFAULT_DENY: "no policy allows it",
  ARGUMENTS_MISSING: "its arguments are missing",
  BUDGET_EXCEEDED: "a budget has no room for it",
  REQUEST_UNUSABLE: "it is too large to be decided",
  AGENT_PAUSED: "the agent is paused",
  AGENT_STOPPED: "the agent is stopped",
  EMERGENCY_STOP: "an emergency stop covers the agent",
} as const satisfies Record<Check["reason"], string>;

function describe({ reason, policies, approval }: Check): string {
  const comment = approval?.comment ?? null;
  if (reason === "APPROVAL_DENIED" && comment !== null) return `${REASONS[reason]}: ${comment}`;
  const isOfPolicy = reason === "POLICY_DENY" || reason === "POLICY_ALLOW" || reason === "POLICY_ERROR";
  const names = policies?.join(", ") ?? "";
  if (names === "" || reason === "DEFAULT_DENY" || reason === "DEFAULT_ALLOW") return REASONS[reason];
  return isOfPolicy ? names : `${names}: ${REASONS[reason]}`;
}

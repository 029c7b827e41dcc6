import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import { chargeRequests } from "../../src/auth/charge-requests.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createFieldError } from "../../src/domain/kernel/errors.ts";
import { requireAgent } from "../../src/domain/kernel/guard.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { allowSilence } from "../../src/http/allow-silence.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { type HookDecision, answerDecision, answerHook } from "./hook-answer.ts";
import type { HooksEnv } from "./hooks-app.ts";
import { listToolIds } from "./list-tool-ids.ts";
import { type Hold, readHold } from "./read-hold.ts";
import { type Hook, getSessionKey, isStrict, readHook } from "./read-hook.ts";

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

const CheckReadings = graphql(`
  mutation CheckReadings($input: CheckGatewayBatchInput!) {
    checked: checkGatewayBatch(input: $input) {
      checks {
        check {
          status
        }
      }
    }
  }
`);

/**
 * Decides whether a coding agent may run a tool. Where policies ask, the call is held until people decide.
 *
 * @throws {DomainError} for whatever can't be decided, which must be answered with a denial.
 */
export async function decideToolUse(c: Context<HooksEnv>, rateLimit: RateLimit): Promise<Response> {
  const hold = readHold(c);
  const hook = await readHook(c);
  const ctx = c.get("ctx");
  const [toolId, ...others] = readToolIds(hook);
  await chargeRequests(c, rateLimit, others.length);
  const refused = await findRefused(ctx, hook, others);
  if (refused !== null) return answerDecision(c, { permission: "deny", reason: describeRefused(refused) });
  ctx.canHold = true;
  allowSilence(c.env.incoming, hold.seconds);
  const { checked } = await execute(ctx, CheckToolUse, {
    input: {
      requestText: JSON.stringify({ ...toRequest(hook), resource: toResource(toolId) }),
      waitSeconds: hold.seconds,
      acceptEdits: true,
      sessionKey: getSessionKey(hook),
    },
  });
  return answerCheck(c, checked.check, { hook, hold });
}

/** @throws {DomainError} validation_failed. */
function readToolIds({ hook_event_name: event, tool_name: tool }: Hook): [string, ...string[]] {
  if (event !== "PreToolUse") throw createFieldError("hook_event_name", "must be PreToolUse here");
  if (tool === undefined) throw createFieldError("tool_name", "is required");
  return listToolIds(tool);
}

/** Of what a tool's name may mean besides, finds what may not be done at once. So no policy for it is evaded. */
async function findRefused(ctx: Ctx, hook: Hook, toolIds: readonly string[]): Promise<string | null> {
  if (toolIds.length === 0) return null;
  const subject = { type: "agent", id: requireAgent(ctx).id };
  const evaluations = toolIds.map((id) => ({ resource: toResource(id) }));
  const requestText = JSON.stringify({ subject, ...toRequest(hook), evaluations });
  const { checked } = await execute(ctx, CheckReadings, { input: { requestText } });
  return toolIds.find((_id, index) => checked.checks[index]?.check?.status !== "ALLOWED") ?? null;
}

function describeRefused(toolId: string): string {
  return `Agent Ops: its name also means ${toolId}, which is not allowed; use single underscores in names`;
}

function toResource(id: string) {
  return { type: "tool", id };
}

function toRequest({ tool_input: input, session_id: session, cwd, permission_mode: mode }: Hook) {
  return {
    action: { name: "tools/call", ...(input !== undefined && { properties: { arguments: input } }) },
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
  // Of calls through the proxy alone.
  TOOL_UNREVIEWED: "no admin has approved the tool as it is",
  TOOL_BLOCKED: "an admin has blocked the tool",
} as const satisfies Record<Check["reason"], string>;

function describe({ reason, policies, approval }: Check): string {
  const comment = approval?.comment ?? null;
  if (reason === "APPROVAL_DENIED" && comment !== null) return `${REASONS[reason]}: ${comment}`;
  const isOfPolicy = reason === "POLICY_DENY" || reason === "POLICY_ALLOW" || reason === "POLICY_ERROR";
  const names = policies?.join(", ") ?? "";
  if (names === "" || reason === "DEFAULT_DENY" || reason === "DEFAULT_ALLOW") return REASONS[reason];
  return isOfPolicy ? names : `${names}: ${REASONS[reason]}`;
}

import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import type { Verdict } from "../policies/decide.ts";
import type { ApprovalTerms } from "../policies/policy-rule.ts";
import { isAgentType } from "./entity-name.ts";
import { type AccessRequest, getTaskId } from "./parse-request.ts";

/** A policy that asks people, as an approval keeps it. */
export type AskingPolicy = {
  id: string;
  generation: number;
  name: string;
  /** The members of the request's context that its condition reads; null for all. */
  contextMembers: string[] | null;
  /** Whether it asks only since an approver changed the arguments. */
  isOfEdit?: boolean;
};

/** Returns what an approval keeps of a policy that asks. */
export function toAskingPolicy({ id, generation, name, getCondition }: CompiledPolicy): AskingPolicy {
  const condition = getCondition();
  // A policy whose condition can't be compiled denies, so none of these asks.
  const read = condition === null || condition === "invalid" ? [] : condition.contextMembers;
  return { id, generation, name, contextMembers: read === null ? null : [...read].toSorted() };
}

/** Who asks, and what the question is about. `agentId` is null for a person. Without policies that ask, `askedBy` is empty and `scope` exact. */
export type Binding = {
  agentId: string | null;
  askedBy: readonly AskingPolicy[];
  scope: ApprovalTerms["scope"];
};

/** Returns what a decision on a request is bound to. `agentId` is null for a person. */
export function bindVerdict(agentId: string | null, { outcome, decidedBy, terms }: Verdict): Binding {
  const askedBy = outcome === "ask" ? decidedBy.map(toAskingPolicy) : [];
  return { agentId, askedBy, scope: terms?.scope ?? "exact" };
}

/**
 * Computes what a decision, an approval and an execution are bound to: SHA-256, in hex, of the canonical JSON
 * of subject, action, resource and context. The subject is left out if it is the agent that asks. Of the
 * context, the task counts, whose creator may not approve, the estimate, which budgets hold, and what the asking policies
 * read. With the scope `tool`, any arguments and any other context have the same hash.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function hashRequest(asked: AccessRequest, { agentId, askedBy, scope }: Binding): string {
  const { subject, action, resource, context } = asked;
  const task = getTaskId(asked);
  const isExact = scope === "exact";
  const isContextRead = isExact && askedBy.some(({ contextMembers }) => contextMembers?.length !== 0);
  const { estimate } = context;
  const bound = {
    ...(subject !== undefined && !isPlainly(subject, agentId) && { subject }),
    action: isExact ? action : { name: action.name },
    resource,
    ...(task !== null && { task }),
    ...(isExact && estimate !== undefined && { estimate }),
    ...(isContextRead && { context: pickContext(context, askedBy) }),
  };
  return createHash("sha256")
    .update(canonicalize(bound) ?? "")
    .digest("hex");
}

/** Whether a subject says no more than that it is this agent. */
function isPlainly(
  { type, id, properties }: NonNullable<AccessRequest["subject"]>,
  agentId: string | null,
): boolean {
  return isAgentType(type) && id.toLowerCase() === agentId && Object.keys(properties).length === 0;
}

function pickContext(context: AccessRequest["context"], askedBy: readonly AskingPolicy[]) {
  const isReadWhole = askedBy.some(({ contextMembers }) => contextMembers === null);
  const read = new Set(askedBy.flatMap(({ contextMembers }) => contextMembers ?? []));
  const picked = Object.entries(context).filter(
    // It names the approval, so it is added after people decided.
    ([name]) => name !== "approval" && (isReadWhole || read.has(name)),
  );
  return Object.fromEntries(picked);
}

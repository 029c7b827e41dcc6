import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { CompiledPolicy } from "../policies/compile-policy.ts";
import type { AccessRequest } from "./parse-request.ts";
import { isAgentType } from "./resolve-entities.ts";

/** A policy that asks people, as an approval keeps it. */
export type AskingPolicy = {
  id: string;
  generation: number;
  name: string;
  /** The members of the request's context that its condition reads; null for all. */
  contextMembers: string[] | null;
};

/** Returns what an approval keeps of a policy that asks. */
export function toAskingPolicy({ id, generation, name, getCondition }: CompiledPolicy): AskingPolicy {
  const condition = getCondition();
  // A policy whose condition can't be compiled denies, so none of these asks.
  const read = condition === null || condition === "invalid" ? [] : condition.contextMembers;
  return { id, generation, name, contextMembers: read === null ? null : [...read].toSorted() };
}

/**
 * Computes what a decision, an approval and an execution are bound to: SHA-256, in hex, of the canonical JSON
 * of subject, action, resource and context. The subject is left out if it is the agent that asks. Of the
 * context, only what the asking policies read counts, and nothing if nobody asks.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function hashRequest(
  { subject, action, resource, context }: AccessRequest,
  { agentId, askedBy }: { agentId: string; askedBy: readonly AskingPolicy[] },
): string {
  const bound = {
    ...(subject !== undefined && !isPlainly(subject, agentId) && { subject }),
    action,
    resource,
    ...(askedBy.some(({ contextMembers }) => contextMembers?.length !== 0) && {
      context: pickContext(context, askedBy),
    }),
  };
  return createHash("sha256")
    .update(canonicalize(bound) ?? "")
    .digest("hex");
}

/** Whether a subject says no more than that it is this agent. */
function isPlainly(
  { type, id, properties }: NonNullable<AccessRequest["subject"]>,
  agentId: string,
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

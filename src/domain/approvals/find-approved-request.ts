import type { Approval } from "../../db/generated/client.ts";
import { type AskingPolicy, hashRequest } from "../gateway-checks/hash-request.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { Verdict } from "../policies/decide.ts";

type ApprovedFields = ("agentId" | "askedBy" | "scope") | ("requestHash" | "editedHash" | "editedArguments");

/**
 * Returns the request that an approval is for, with the arguments that were approved, if `asked` is that
 * request: as the agent asked for it, or as approvers changed it. Null for any other request, and for that of the
 * agent if approvers changed it and the caller does not accept that.
 */
export function findApprovedRequest(
  approval: Pick<Approval, ApprovedFields>,
  asked: AccessRequest,
  { acceptEdits }: { acceptEdits: boolean },
): AccessRequest | null {
  const { agentId, scope, requestHash, editedHash, editedArguments } = approval;
  const askedBy = getAskingPolicies(approval);
  const all = { agentId, scope, askedBy };
  const original = { agentId, scope, askedBy: askedBy.filter(({ isOfEdit }) => isOfEdit !== true) };
  const isOriginal = hashRequest(asked, original) === toHex(requestHash);
  if (editedHash === null) return isOriginal ? asked : null;
  const edited = replaceArguments(asked, editedArguments);
  if (hashRequest(edited, all) !== toHex(editedHash)) return null;
  return (isOriginal && acceptEdits) || hashRequest(asked, all) === toHex(editedHash) ? edited : null;
}

/** The policies that ask, as the approval keeps them. */
export function getAskingPolicies({ askedBy }: Pick<Approval, "askedBy">): AskingPolicy[] {
  // Written by requestApproval and grantApproval.
  return askedBy as AskingPolicy[];
}

/** Whether policies ask now that are not among those that asked for an approval. */
export function isAskedByOthers(
  approval: Pick<Approval, "askedBy">,
  { outcome, decidedBy }: Pick<Verdict, "outcome" | "decidedBy">,
): boolean {
  return outcome === "ask" && !areAmong(decidedBy, approval);
}

/** Whether all of these policies, as they are, are among those that asked for an approval. */
export function areAmong(
  policies: readonly { id: string; generation: number }[],
  approval: Pick<Approval, "askedBy">,
): boolean {
  const known = getAskingPolicies(approval);
  return policies.every(({ id, generation }) =>
    known.some((one) => one.id === id && one.generation === generation),
  );
}

/** Returns the request with other arguments. */
export function replaceArguments({ action, ...asked }: AccessRequest, args: unknown): AccessRequest {
  return { ...asked, action: { ...action, properties: { ...action.properties, arguments: args } } };
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

import { z } from "zod";
import { type AuditSigner, isSigned, signWith, signatureShape } from "./signature.ts";

/** The actions of audit events that record a position: how far the log was exported or deleted. */
export type MarkedAction = "audit.exported" | "audit.deleted";

const placeShape = z.object({
  /** The last row included, and its hash. */
  seq: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The newest checkpoint up to it; 0 for none. */
  checkpoint: z.int().min(0),
});
const shape = placeShape.extend(signatureShape);

/** A position in a workspace's audit log, up to which it was exported or deleted. Hashes are in hex. */
export type AuditPosition = z.output<typeof placeShape>;

type MarkSubject = { workspaceId: string; action: MarkedAction };

/** Creates the signed `changes` of an audit event that records a position. */
export function signMark(
  signer: AuditSigner,
  whose: MarkSubject,
  place: AuditPosition,
): z.output<typeof shape> {
  const {
    type: _type,
    workspace_id: _id,
    ...mark
  } = signWith(signer, { ...toSignedFields(whose), ...place });
  return mark;
}

/** Returns the position in an audit event's `changes`; null without a trusted signature. */
export function parseTrustedMark(
  changes: unknown,
  whose: MarkSubject,
  keys: ReadonlySet<string>,
): AuditPosition | null {
  const parsed = shape.safeParse(changes);
  if (!parsed.success || !keys.has(parsed.data.key)) return null;
  const { seq, hash, checkpoint } = parsed.data;
  return isSigned({ ...toSignedFields(whose), ...parsed.data }) ? { seq, hash, checkpoint } : null;
}

function toSignedFields({ workspaceId, action }: MarkSubject) {
  return { type: action, workspace_id: workspaceId };
}

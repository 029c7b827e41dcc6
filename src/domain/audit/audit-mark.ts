import { z } from "zod";
import { type AuditSigner, isSigned, signWith, signatureShape } from "./signature.ts";

/** The action of an audit row that bears a mark: how far the log was exported, and how far it was deleted. */
export type MarkedAction = "audit.exported" | "audit.deleted";

const placeShape = z.object({
  /** The last row that it is about, and its hash. */
  seq: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The newest checkpoint up to there; 0 for none. */
  checkpoint: z.int().min(0),
});
const shape = placeShape.extend(signatureShape);

/** A place in a workspace's audit log up to which something was done. Hashes are hex. */
export type AuditPosition = z.output<typeof placeShape>;

type MarkSubject = { workspaceId: string; action: MarkedAction };

/** The `changes` of an audit row that tells how far something was done, signed: nobody else can tell so. */
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

/** The place that the `changes` of an audit row tell of; null where none of the keys has signed it. */
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

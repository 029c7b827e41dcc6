import type { RevocationKind } from "../../db/generated/client.ts";

/** Something that was revoked. Every credential that depends on it is revoked too. */
export type Revocation = { kind: RevocationKind; subjectId: string; reason: string };

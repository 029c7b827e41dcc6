import type { RevocationKind } from "../../db/generated/client.ts";

/** Something that died: every credential that stands on it is dead too. */
export type Revocation = { kind: RevocationKind; subjectId: string; reason: string };

import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { NewSession, Transaction } from "../../domain/kernel/context.ts";
import { createSessionLibrary } from "../vendor/lucia.ts";
import { createSessionWriter } from "./session-adapter.ts";
import type { NewSessionRow } from "./session-rows.ts";

/** A session to insert. Without `familyId` it starts a new family. */
export type SessionInput = Omit<NewSessionRow, "id" | "familyId"> & {
  userId: string;
  familyId?: string;
  /** Days after the password was entered at which every session expires. */
  maxDays: number;
};

/**
 * Inserts a session. Its token is returned here; only a SHA-256 digest is stored.
 *
 * @throws {DomainError} unauthenticated if the account was suspended or its password changed since the
 *   epoch was read.
 */
export async function insertSession(
  tx: Transaction,
  { userId, familyId, maxDays, ...row }: SessionInput,
): Promise<NewSession & { id: string; familyId: string }> {
  const token = randomBytes(32).toString("base64url");
  const id = uuidv7();
  const family = familyId ?? id;
  const library = createSessionLibrary(createSessionWriter(tx, maxDays));
  await library.createSession(userId, { ...row, id, familyId: family }, { sessionId: token });
  return { id, familyId: family, token, remembered: row.remembered };
}

import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { NewSession, Transaction } from "../../domain/kernel/context.ts";
import { createSessionLibrary } from "../vendor/lucia.ts";
import { createSessionWriter } from "./session-adapter.ts";
import type { NewSessionRow } from "./session-rows.ts";

/** A session to be; a new family where none is named. */
export type SessionInput = Omit<NewSessionRow, "id" | "familyId"> & {
  userId: string;
  familyId?: string;
  /** Days since the password was given after which no session lives. */
  maxDays: number;
};

/**
 * Inserts a session. Its token is returned here and stored only as a SHA-256 digest.
 *
 * @throws {DomainError} unauthenticated where the account was suspended or its password changed since the
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

import type { Role } from "../../domain/kernel/scopes.ts";

/** A session as the database knows it at this moment. Every age is PostgreSQL's. */
export type KnownSession = {
  id: string;
  workspaceId: string;
  familyId: string;
  remembered: boolean;
  authEpoch: number;
  /** Whether the password was given within the last 20 minutes. */
  isSudo: boolean;
  /** Whether this is the first request of a session that took another's place. */
  isUnused: boolean;
  /** Whether a successor was made that its browser uses, or may still be about to use. */
  isReplaced: boolean;
  /** Whether the successor has been in use for so long that nobody honest has this one any more. */
  isSuperseded: boolean;
  /** Whether a successor could live longer: the password was given recently enough. */
  canGain: boolean;
  /** Whether it was not seen in the last minute. */
  isUnnoted: boolean;
  /** Milliseconds until it ends by itself. */
  remainingMs: number;
};

/** The person of a session. */
export type SessionUser = { name: string; role: Role; workspaceSuspended: boolean };

/** What a session is made with. */
export type NewSessionRow = {
  id: string;
  familyId: string;
  remembered: boolean;
  /** The epoch that the password, or the former session, was checked at. */
  authEpoch: number;
  /** Null for this moment. */
  authenticatedAt: Date | null;
};

import type { ProviderSession } from "../oidc/provider-session.ts";
import type { Role } from "../../domain/kernel/scopes.ts";

/** A session's row, with ages by PostgreSQL's clock. */
export type KnownSession = {
  id: string;
  workspaceId: string;
  familyId: string;
  remembered: boolean;
  authEpoch: number;
  /** Whether the password was entered within the last 20 minutes. */
  isSudo: boolean;
  /** Whether it began by a password alone, and the workspace or the server requires more. */
  needsFactor: boolean;
  /** Whether this is the first request of a session that replaced another. */
  isUnused: boolean;
  /** Whether it has a successor that its browser uses, or may still start to use. */
  isReplaced: boolean;
  /** Whether its successor has been in use so long that only a copy can still be used. */
  isSuperseded: boolean;
  /** Whether a successor would expire later: the password was entered recently enough. */
  canGain: boolean;
  /** Whether it was not used in the last minute. */
  isUnnoted: boolean;
  /** Milliseconds until it expires. */
  remainingMs: number;
};

/** The person of a session. */
export type SessionUser = { name: string; role: Role; workspaceSuspended: boolean };

/** The values of a new session. */
export type NewSessionRow = {
  id: string;
  familyId: string;
  remembered: boolean;
  /** The epoch at which the password, or the previous session, was checked. */
  authEpoch: number;
  /** Null for now. */
  authenticatedAt: Date | null;
  /** The provider at which the person signed in; null for a password. */
  providerId: string | null;
  /** What is kept of the session at the provider. */
  providerSession?: ProviderSession;
  /** When a second factor was last used; null if none was. */
  mfaAt: Date | null;
};

import type { Services } from "../../domain/kernel/services.ts";
import type { PasswordHasher } from "../passwords.ts";

/** The services that sessions need in addition to those of all use cases. */
export type SessionServices = Services & {
  passwords: PasswordHasher;
  sessions: {
    /** Days after the password was entered at which every session expires. */
    maxDays: number;
    /** Whether only confirmed accounts can log in. */
    requireConfirmed: boolean;
    /** Whether people of all workspaces who log in by a password must have a second factor. */
    requireMfa: boolean;
    /** Whether cookies are sent over HTTPS only. */
    secureCookies: boolean;
  };
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};

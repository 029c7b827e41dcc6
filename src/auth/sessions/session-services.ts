import type { Services } from "../../domain/kernel/context.ts";
import type { PasswordHasher } from "../passwords.ts";

/** What sessions need beside the services of every verb. */
export type SessionServices = Services & {
  passwords: PasswordHasher;
  sessions: {
    /** Days since the password was given after which no session lives. */
    maxDays: number;
    /** Whether only confirmed accounts can log in. */
    requireConfirmed: boolean;
    /** Whether cookies travel over https alone. */
    secureCookies: boolean;
  };
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
};

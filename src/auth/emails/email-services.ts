import type { Services } from "../../domain/kernel/context.ts";
import type { Mailer } from "../../domain/emails/email.ts";

/** What the delivery of letters needs beside the services of every verb. */
export type EmailServices = Services & {
  mailer: Mailer;
  /** How links name this server, without a trailing slash. */
  baseUrl: () => string;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
};

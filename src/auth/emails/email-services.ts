import type { Services } from "../../domain/kernel/services.ts";
import type { Mailer } from "../../domain/emails/email.ts";

/** The services that email delivery needs in addition to those of all use cases. */
export type EmailServices = Services & {
  mailer: Mailer;
  /** The URL of this server in links, without a trailing slash. */
  baseUrl: () => string;
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};

import type { Services } from "../../domain/context.ts";
import type { Mailer } from "../../domain/letters/letter.ts";

/** What the delivery of letters needs beside the services of every verb. */
export type LetterServices = Services & {
  mailer: Mailer;
  /** How links name this server, without a trailing slash. */
  baseUrl: () => string;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
};

import type { Email } from "../../domain/emails/email.ts";

/** An email to be sent. If it is not, `discard` deletes what was minted for it. */
export type ComposedEmail = { email: Email; discard: () => Promise<void> };

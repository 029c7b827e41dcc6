import type { Email } from "../../domain/emails/email.ts";

/** An email to be sent to an address. If it is not, `discard` deletes what was minted for it. */
export type ComposedEmail = { to: string; email: Email; discard: () => Promise<void> };

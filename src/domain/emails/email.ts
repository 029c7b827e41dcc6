/** Which workspace a letter is from, and whom it greets. */
type EmailBase = { workspace: string; name: string | null };

/** Where something happened, as the person may recognise it. */
export type ActivityOrigin = { at: Date; ip: string | null; userAgent: string | null };

/** Every letter that the service writes to people. A `link` is whole, and works once. */
export type Email =
  | (EmailBase & { kind: "reset_password"; link: string; minutes: number })
  | (EmailBase & { kind: "password_changed"; place: ActivityOrigin; resetLink: string })
  | (EmailBase & { kind: "new_device"; place: ActivityOrigin; sessionsLink: string })
  /** To the new address. */
  | (EmailBase & { kind: "email_change"; link: string; hours: number })
  /** To the old address. `newEmail` is masked. */
  | (EmailBase & { kind: "email_changed"; place: ActivityOrigin; newEmail: string })
  | (EmailBase & { kind: "invitation"; link: string; days: number; invitedBy: string });

/** How letters leave. */
export type Mailer = {
  /** Whether letters reach people; else they lie in a folder of the server's. */
  isProvider: boolean;
  /** Sends a letter to one address; the promise rejects where the provider did not take it. */
  send: (to: string, email: Email) => Promise<void>;
};

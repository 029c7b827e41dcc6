/** Which workspace a letter is from, and whom it greets. */
type Addressed = { workspace: string; name: string | null };

/** Where something happened, as the person may recognise it. */
export type Place = { at: Date; ip: string | null; userAgent: string | null };

/** Every letter that the service writes to people. A `link` is whole, and works once. */
export type Letter =
  | (Addressed & { kind: "reset_password"; link: string; minutes: number })
  | (Addressed & { kind: "password_changed"; place: Place; resetLink: string })
  | (Addressed & { kind: "new_device"; place: Place; sessionsLink: string })
  /** To the new address. */
  | (Addressed & { kind: "email_change"; link: string; hours: number })
  /** To the old address. `newEmail` is masked. */
  | (Addressed & { kind: "email_changed"; place: Place; newEmail: string })
  | (Addressed & { kind: "invitation"; link: string; days: number; invitedBy: string });

/** How letters leave. */
export type Mailer = {
  /** Whether letters reach people; else they lie in a folder of the server's. */
  isProvider: boolean;
  /** Sends a letter to one address; the promise rejects where the provider did not take it. */
  send: (to: string, letter: Letter) => Promise<void>;
};

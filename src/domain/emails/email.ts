/** The workspace that an email is from, and the recipient's name. */
type EmailBase = { workspace: string; name: string | null };

/** When and where something happened. */
export type ActivityOrigin = { at: Date; ip: string | null; userAgent: string | null };

/** What an email says about a person's second factors. */
export type FactorNews =
  | "added"
  | "removed"
  | "removed_by_owner"
  | "codes_renewed"
  | "code_used"
  /** A passkey's count of signatures did not grow. */
  | "passkey_copied"
  /** Somebody with the password has tried several codes. */
  | "codes_wrong";

/** An alert rule that fires since `at`, or was resolved then. Values have their units; null if there is nothing to measure. */
export type AlertNews = {
  name: string;
  isFiring: boolean;
  at: Date;
  metric: string;
  value: string | null;
  threshold: string;
};

/** A question that nobody has answered: its first 200 characters, who asks, and for how long. */
export type LateQuestion = { text: string; by: string; waitingSeconds: number };

/** What happened in a day or a week, and what waits now. */
export type Digest = {
  frequency: "daily" | "weekly";
  tasks: { completed: number; failed: number; canceled: number; waiting: number };
  missions: { completed: number; failed: number };
  questions: { waiting: number; oldestSeconds: number };
  agents: { online: number; known: number };
  approvalsWaiting: number;
  alertsFiring: number;
  costUsd: number;
};

/** An email that a person asked for in the settings. Whoever opens `unsubscribeLink` ends those of its topic. */
type NotificationBase = EmailBase & { link: string; unsubscribeLink: string };

/** All emails to people. `link` is a full URL that works only once. */
export type Email =
  | (EmailBase & { kind: "reset_password"; link: string; minutes: number })
  | (EmailBase & { kind: "password_changed"; place: ActivityOrigin; resetLink: string })
  | (EmailBase & { kind: "new_device"; place: ActivityOrigin; sessionsLink: string })
  | (EmailBase & { kind: "second_factor"; place: ActivityOrigin; news: FactorNews; securityLink: string })
  /** Sent to the new address. */
  | (EmailBase & { kind: "email_change"; link: string; hours: number })
  /** Sent to the old address. `newEmail` is masked. */
  | (EmailBase & { kind: "email_changed"; place: ActivityOrigin; newEmail: string })
  /** Sent to all owners. `usedBy` is the name of the one who logged in. */
  | (EmailBase & { kind: "break_glass_used"; place: ActivityOrigin; usedBy: string; auditLink: string })
  /** Sent to all admins. `host` is that of the endpoint's URL. */
  | (EmailBase & { kind: "webhook_disabled"; host: string; because: "failed" | "gone"; link: string })
  | (NotificationBase & { kind: "alerts"; alerts: readonly AlertNews[] })
  | (NotificationBase & {
      kind: "waiting_questions";
      questions: readonly LateQuestion[];
      /** Whether more wait. */
      hasMore: boolean;
    })
  | (NotificationBase & { kind: "digest"; digest: Digest })
  /** `days` is null where the person signs in by the workspace's provider; the link is then that of the log-in page. */
  | (EmailBase & { kind: "invitation"; link: string; days: number | null; invitedBy: string });

/** Sends emails. */
export type Mailer = {
  /** Whether emails are sent. Otherwise they are written to a folder on the server. */
  isProvider: boolean;
  /** Sends an email to one address. Rejects if the provider does not accept it. */
  send: (to: string, email: Email) => Promise<void>;
};

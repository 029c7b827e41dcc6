import type { DueEmail, DueNotification } from "../../domain/emails/queue-email.ts";

/** What is known of an email of the outbox that this node has leased. */
type Held = {
  workspaceId: string;
  id: string;
  attempts: number;
  createdAt: Date;
  /** The recipient's. */
  name: string | null;
  workspaceName: string;
  /** The recipient's address now; null if the person or the workspace is suspended, or the person has left. */
  reachedAt: string | null;
  /** Whether the recipient may log in with a password. */
  mayUsePassword: boolean;
};

/** One about an account or the workspace. */
export type HeldAccountEmail = Held & DueEmail;

/** One that a person asked for in the settings. */
export type HeldNotification = Held & DueNotification;

export type HeldEmail = HeldAccountEmail | HeldNotification;

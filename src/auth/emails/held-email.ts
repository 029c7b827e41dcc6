import type { DueEmail } from "../../domain/emails/queue-email.ts";

/** An email of the outbox that this node has leased, with its recipient's name. */
export type HeldEmail = DueEmail & {
  workspaceId: string;
  id: string;
  attempts: number;
  createdAt: Date;
  name: string | null;
  workspaceName: string;
  /** Whether the recipient may log in with a password. */
  mayUsePassword: boolean;
};

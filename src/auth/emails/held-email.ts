import type { DueEmail } from "../../domain/emails/queue-email.ts";

/** A letter of the outbox that this node holds for now, and whom it greets. */
export type HeldEmail = DueEmail & {
  workspaceId: string;
  id: string;
  attempts: number;
  createdAt: Date;
  name: string | null;
  workspaceName: string;
};

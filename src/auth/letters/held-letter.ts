import type { DueLetter } from "../../domain/letters/queue-letter.ts";

/** A letter of the outbox that this node holds for now, and whom it greets. */
export type HeldLetter = DueLetter & {
  workspaceId: string;
  id: string;
  attempts: number;
  createdAt: Date;
  name: string | null;
  workspaceName: string;
};

/** A task that waits for an answer. */
export type WaitingTask = { id: string; uuid: string; title: string; updatedAt: string };

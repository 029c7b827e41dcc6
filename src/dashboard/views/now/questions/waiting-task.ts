export type WaitingTask = { id: string; uuid: string; title: string; updatedAt: string };

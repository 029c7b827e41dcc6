import type { Message, MessageKind } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import type { DemoWorld } from "../demo-world.ts";

/** A message to create. */
export type Said = {
  at: Date;
  by: ActorRecord;
  to: string | null;
  kind: MessageKind;
  text: string;
};

/** A thread's place. `name` is the seed of its messages' ids; `asks` says that its task waits for an answer. */
type Thread = { name: string; contextId: string; taskId: string | null; asks: boolean };

/**
 * Builds the rows of a thread from its messages, in order. An answer is to the last question.
 */
export function threadRows(world: DemoWorld, thread: Thread, said: readonly Said[]): Message[] {
  function idAt(place: number, at: Date): string {
    return world.createId(`${thread.name} ${place}`, at);
  }
  return said.map(({ at, by, to, kind, text }, place) => {
    const answer =
      kind === "question" ? said.findIndex((later, index) => index > place && later.kind === "answer") : -1;
    const question =
      kind === "answer"
        ? said.findLastIndex((before, index) => index < place && before.kind === "question")
        : -1;
    const [answered, asked] = [said[answer], said[question]];
    return {
      workspaceId: world.workspaceId,
      id: idAt(place, at),
      contextId: thread.contextId,
      taskId: thread.taskId,
      missionId: null,
      role: by.type === "agent" ? "agent" : "user",
      sender: by,
      recipientAgentId: to,
      kind,
      answerBy: "anyone",
      parts: [{ text }],
      replyToId: asked === undefined ? null : idAt(question, asked.at),
      expectsReply: kind === "question",
      answeredById: answered === undefined ? null : idAt(answer, answered.at),
      waiting: kind === "question" && answered === undefined && (thread.taskId === null || thread.asks),
      referenceTaskIds: [],
      metadata: {},
      traceId: null,
      parentSpanId: null,
      createdAt: at,
    };
  });
}

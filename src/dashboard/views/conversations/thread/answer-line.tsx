import { useState } from "react";
import { toGlobalId } from "../../../data/global-id.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { MessageForm } from "./message-form.tsx";
import type { ThreadMessage } from "./message-fields.ts";

/** A question to answer. `name` tells buttons of several questions apart. */
export type AnswerLineProps = {
  question: Pick<ThreadMessage, "id" | "taskUuid">;
  name: string;
  /** Whether the box stands open from the first. */
  isOpenFirst?: boolean;
};

/** Where a question is answered in place. Nothing for who may not. */
export function AnswerLine({ question, name, isOpenFirst = false }: AnswerLineProps) {
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  if (!useIsAtLeast("OPERATOR")) return null;
  if (!isOpen) {
    return (
      <button type="button" className="button button-small thread-answer" onClick={() => setIsOpen(true)}>
        Answer<span className="visually-hidden">: {name}</span>
      </button>
    );
  }
  const { id, taskUuid } = question;
  return (
    <MessageForm
      to={{
        kind: "ANSWER",
        replyToId: id,
        ...(taskUuid !== null && { taskId: toGlobalId("Task", taskUuid) }),
      }}
      label="Your answer"
      sendLabel="Send the answer"
      done="The answer is sent."
      hint={
        taskUuid === null ? "Ctrl and Enter send it." : "The task goes on at once. Ctrl and Enter send it."
      }
      {...(!isOpenFirst && { onBack: () => setIsOpen(false) })}
      onDone={() => setIsOpen(isOpenFirst)}
    />
  );
}

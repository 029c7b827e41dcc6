import { useState } from "react";
import { toGlobalId } from "../../../data/global-id.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { MessageForm } from "./message-form.tsx";
import type { ThreadMessage } from "./message-fields.ts";

/** `name` distinguishes the buttons of several questions for screen readers. */
export type AnswerLineProps = {
  question: Pick<ThreadMessage, "id" | "taskUuid">;
  name: string;
  /** Whether the form is open initially. */
  isOpenFirst?: boolean;
  /** Called after it was answered. */
  onDone?: () => void;
};

/** A form to answer a question in place. Hidden if the user may not answer. */
export function AnswerLine({ question, name, isOpenFirst = false, onDone }: AnswerLineProps) {
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
      sendLabel="Send answer"
      done="Answer sent."
      hint={taskUuid === null ? "Ctrl+Enter to send." : "The task continues at once. Ctrl+Enter to send."}
      {...(!isOpenFirst && { onBack: () => setIsOpen(false) })}
      onDone={() => {
        setIsOpen(isOpenFirst);
        onDone?.();
      }}
    />
  );
}

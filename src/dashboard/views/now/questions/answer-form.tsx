import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { WaitingTask } from "./waiting-task.ts";

const AnswerQuestion = graphql(`
  mutation AnswerQuestion($taskId: ID!, $questionId: ID!, $parts: [Part!]!) {
    sendMessage(input: { kind: ANSWER, taskId: $taskId, replyToId: $questionId, parts: $parts }) {
      message {
        id
        kind
      }
    }
  }
`);

export type AnswerFormProps = { task: WaitingTask; questionId: string; onDone: () => void };

/** The form to answer a question. The task continues at once. */
export function AnswerForm({ task, questionId, onDone }: AnswerFormProps) {
  const [text, setText] = useState("");
  const { act, isBusy, problem } = useAct(AnswerQuestion);

  async function send(): Promise<void> {
    if ((await act({ taskId: task.id, questionId, parts: [{ text }] })) === null) return;
    onDone();
    showNotice(`Answered: ${task.title}`);
  }

  return (
    <Form
      sendLabel="Send answer"
      onSend={() => void send()}
      onBack={onDone}
      isBusy={isBusy}
      problem={problem}
    >
      <TextField label="Your answer" name="parts" value={text} onChange={setText} isLong isRequired />
    </Form>
  );
}

import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { useState } from "react";

/** The conversation, task or question that a message belongs to. */
export type Destination = {
  contextId?: string;
  taskId?: string;
  kind?: "ANSWER" | "TEXT";
  replyToId?: string;
};

export type MessageFormProps = {
  to: Destination;
  label: string;
  sendLabel: string;
  /** The notice after sending. */
  done: string;
  hint?: string;
  onBack?: () => void;
  onDone?: () => void;
};

/** A message box. */
export function MessageForm({ to, label, sendLabel, done, hint, onBack, onDone }: MessageFormProps) {
  const [text, setText] = useState("");
  const { act, isBusy, problem } = useAct(SendMessage);

  async function send(): Promise<void> {
    if ((await act({ input: { ...to, parts: [{ text }] } })) === null) return;
    setText("");
    showNotice(done);
    onDone?.();
  }

  return (
    <Form
      sendLabel={sendLabel}
      onSend={() => void send()}
      {...(onBack !== undefined && { onBack })}
      isBusy={isBusy}
      problem={problem}
    >
      <TextField
        label={label}
        name="parts"
        hint={hint ?? "Ctrl+Enter to send."}
        value={text}
        onChange={setText}
        isLong
        isRequired
      />
    </Form>
  );
}

/** Sends a message. An answer lets the waiting task continue. */
const SendMessage = graphql(`
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      message {
        id
        uuid
        contextId
        kind
      }
    }
  }
`);

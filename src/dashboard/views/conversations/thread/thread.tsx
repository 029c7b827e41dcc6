import type { ReactNode } from "react";
import { MessageItem } from "./message-item.tsx";
import type { ThreadMessage } from "./message-fields.ts";
import "./thread.css";

export type ThreadProps = {
  /** Oldest first. */
  messages: readonly ThreadMessage[];
  /** The label for screen readers: "Messages about this task". */
  label: string;
  /** Renders extra content next to a message, such as a link to its task or a form to answer it. */
  renderExtra?: (message: ThreadMessage) => ReactNode;
};

/** Messages in chronological order. */
export function Thread({ messages, label, renderExtra }: ThreadProps) {
  return (
    <ol className="thread" aria-label={label}>
      {messages.map((message) => (
        <MessageItem key={message.uuid} message={message} extra={renderExtra?.(message)} />
      ))}
    </ol>
  );
}

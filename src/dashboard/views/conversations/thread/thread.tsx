import type { ReactNode } from "react";
import { MessageItem } from "./message-item.tsx";
import type { ThreadMessage } from "./message-fields.ts";
import "./thread.css";

/** What a thread is. */
export type ThreadProps = {
  /** The oldest first. */
  messages: readonly ThreadMessage[];
  /** Says of what it is: "Messages of this task". */
  label: string;
  /** What stands beside a message: its task's link, or how its question is answered. */
  renderExtra?: (message: ThreadMessage) => ReactNode;
};

/** Messages in the order in which they were said. */
export function Thread({ messages, label, renderExtra }: ThreadProps) {
  return (
    <ol className="thread" aria-label={label}>
      {messages.map((message) => (
        <MessageItem key={message.uuid} message={message} extra={renderExtra?.(message)} />
      ))}
    </ol>
  );
}

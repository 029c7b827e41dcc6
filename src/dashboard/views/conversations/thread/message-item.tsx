import type { ReactNode } from "react";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { StatusChip, type ChipTone } from "../../../ui/status-chip.tsx";
import { Parts } from "./parts.tsx";
import type { ThreadMessage } from "./message-fields.ts";

/** One message: who said it and when, what it is where it is no plain text, and what it says. */
export function MessageItem({ message, extra }: { message: ThreadMessage; extra?: ReactNode }) {
  const { kind, role, sender, createdAt, parts } = message;
  const isOpen = kind === "QUESTION" && message.answeredByUuid === null;
  return (
    <li
      className={`thread-message thread-${role.toLowerCase()} ${isOpen ? "thread-open" : ""}`}
      id={message.uuid}
    >
      <div className="thread-head">
        <strong>{sender.name}</strong>
        {kind !== "TEXT" && <StatusChip {...getChip(message)} />}
        <span className="small soft">
          <TimeAgo at={createdAt} />
        </span>
      </div>
      <Parts parts={parts} label={`Content of ${sender.name}’s message`} />
      {extra}
    </li>
  );
}

function getChip({ kind, answeredByUuid }: ThreadMessage): { status: string; tone: ChipTone } {
  if (kind !== "QUESTION") return { status: kind, tone: kind === "ANSWER" ? "good" : "plain" };
  if (answeredByUuid !== null) return { status: "QUESTION_ANSWERED", tone: "plain" };
  return { status: "OPEN_QUESTION", tone: "warn" };
}

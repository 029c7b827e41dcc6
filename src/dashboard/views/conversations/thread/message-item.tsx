import type { ReactNode } from "react";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { StatusChip, type ChipTone } from "../../../ui/status-chip.tsx";
import { Parts } from "./parts.tsx";
import type { ThreadMessage } from "./message-fields.ts";

/** One message with its sender, time, kind and content. */
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

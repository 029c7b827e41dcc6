import { Link } from "wouter";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { Answer } from "../../conversations/thread/answer.tsx";
import { Parts } from "../../conversations/thread/parts.tsx";
import type { BoardTask } from "./board-query.ts";

/** What waits longest for a person, to be answered where it stands. */
export function OldestQuestion({ task }: { task: BoardTask }) {
  const { question, uuid, title } = task;
  if (question === null) return null;
  return (
    <section className="card stack-s tasks-oldest" aria-labelledby="oldest-question">
      <div className="row-between">
        <h2 id="oldest-question">Waits longest</h2>
        <span className="small soft">
          {question.sender.name} asked <TimeAgo at={question.createdAt} />
        </span>
      </div>
      <Link href={`/tasks/${uuid}`}>{title}</Link>
      <Parts parts={question.parts} label="The question" />
      <Answer question={question} name={title} />
    </section>
  );
}

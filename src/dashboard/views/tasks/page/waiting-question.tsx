import { useIsAtLeast } from "../../../data/viewer.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { Answer } from "../../conversations/thread/answer.tsx";
import type { ThreadMessage } from "../../conversations/thread/message-fields.ts";
import { Parts } from "../../conversations/thread/parts.tsx";
import type { ShownTask } from "./task-query.ts";

/** What a task waits on, before everything else of it, with the box for the answer. */
export function WaitingQuestion({ task, question }: { task: ShownTask; question: ThreadMessage }) {
  const mayAnswer = useIsAtLeast("OPERATOR");
  return (
    <section className="card stack-m tasks-oldest" aria-labelledby="waiting-question">
      <div className="row-between">
        <h2 id="waiting-question">{question.sender.name} asks</h2>
        <span className="small">
          <TimeAgo at={question.createdAt} />
        </span>
      </div>
      <Parts parts={question.parts} label="The question" />
      <Answer question={question} name={task.title} isOpenFirst />
      {!mayAnswer && <p className="small">Operators can answer it.</p>}
    </section>
  );
}

import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { AnswerForm } from "./answer-form.tsx";
import type { WaitingTask } from "./waiting-task.ts";
import { useState } from "react";
import { Link } from "wouter";

const NewestQuestion = graphql(`
  query NewestQuestion($taskId: ID!) {
    messages(first: 1, filter: { kind: QUESTION, taskId: $taskId }) {
      nodes {
        id
        parts
        createdAt
        answeredByUuid
        sender {
          name
        }
      }
    }
  }
`);

/** A task's open question, with a form to answer it. */
export function Question({ task }: { task: WaitingTask }) {
  const [isAnswering, setIsAnswering] = useState(false);
  const mayAnswer = useIsAtLeast("OPERATOR");
  const { data } = useLiveQuery(NewestQuestion, { taskId: task.id }, { types: ["message.*"] });
  const question = data?.messages.nodes[0];
  return (
    <li className="now-question">
      <div className="row-between">
        <Link href={`/tasks/${task.uuid}`}>{task.title}</Link>
        <span className="small soft">
          {question?.sender.name} · <TimeAgo at={question?.createdAt ?? task.updatedAt} />
        </span>
      </div>
      {question !== undefined && <p className="now-question-text">{toText(question.parts)}</p>}
      {question !== undefined && mayAnswer && !isAnswering && (
        <button type="button" className="button button-small" onClick={() => setIsAnswering(true)}>
          Answer<span className="visually-hidden"> {task.title}</span>
        </button>
      )}
      {question !== undefined && isAnswering && (
        <AnswerForm task={task} questionId={question.id} onDone={() => setIsAnswering(false)} />
      )}
    </li>
  );
}

/** The text of a message's parts, with placeholders for other content. */
function toText(parts: readonly unknown[]): string {
  return parts.map(toPartText).join("\n");
}

function toPartText(part: unknown): string {
  if (typeof part !== "object" || part === null) return "";
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  if ("url" in part && typeof part.url === "string") return part.url;
  return "(file)";
}

import type { ResultOf } from "gql.tada";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { toGlobalId } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { Busy } from "../../ui/busy.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { BackLink } from "../../ui/list-detail/list-detail.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { AnswerLine } from "../conversations/thread/answer-line.tsx";
import { Parts } from "../conversations/thread/parts.tsx";
import { QuestionTask } from "./question-task.tsx";

const QuestionQuery = graphql(`
  query InboxQuestion($id: ID!) {
    node(id: $id) {
      ... on Message {
        id
        kind
        parts
        createdAt
        contextId
        taskUuid
        waiting
        sender {
          name
          type
          uuid
        }
        answer {
          id
          parts
          createdAt
          sender {
            name
          }
        }
      }
    }
  }
`);

type Node = NonNullable<ResultOf<typeof QuestionQuery>["node"]>;
type Question = Extract<Node, { waiting: boolean }>;

export type QuestionCardProps = { uuid: string; onAnswered: () => void };

/** A question, and the form to answer it. */
export function QuestionCard({ uuid, onAnswered }: QuestionCardProps) {
  const query = useLiveQuery(
    QuestionQuery,
    { id: toGlobalId("Message", uuid) },
    { types: ["message.*", "task.*"] },
  );
  const card = useRef<HTMLElement>(null);
  useEffect(() => takeHiddenFocus(card.current), []);
  const node = query.data?.node ?? null;
  const question = node !== null && "waiting" in node && node.kind === "QUESTION" ? node : null;
  if (query.data !== null && question === null) return <NotFound what="question" />;
  return (
    <article
      ref={card}
      className="card stack-m inbox-question"
      tabIndex={-1}
      aria-label="Question"
      aria-busy={query.isLoading}
    >
      <BackLink href="/inbox">Inbox</BackLink>
      <ErrorNote problem={query.problem} onRetry={query.refresh} />
      <Busy isBusy={query.isLoading} lines={question === null ? 4 : 0} />
      {question !== null && <Asked question={question} />}
      {question?.waiting === true && (
        <AnswerLine question={question} name="the question" isOpenFirst onDone={onAnswered} />
      )}
      {question !== null && !question.waiting && <Outcome answer={question.answer} />}
    </article>
  );
}

/** On a phone the list, which has the focus, is hidden while a question is open. */
function takeHiddenFocus(card: HTMLElement | null): void {
  const { activeElement: focused } = document;
  const isHidden =
    focused instanceof HTMLElement && focused !== document.body && focused.offsetParent === null;
  if (isHidden) card?.focus();
}

function Asked({ question: { sender, createdAt, contextId, taskUuid, parts } }: { question: Question }) {
  return (
    <>
      <p className="small soft in-line">
        <span>{sender.name} asks</span>
        <TimeAgo at={createdAt} />
        <Link href={`/conversations/${contextId}`}>View conversation</Link>
      </p>
      {taskUuid !== null && <QuestionTask uuid={taskUuid} />}
      <Parts parts={parts} label="Question" />
    </>
  );
}

function Outcome({ answer }: Pick<Question, "answer">) {
  if (answer === null) return <p className="soft">It no longer waits for an answer.</p>;
  return (
    <section className="stack-s" aria-label="Answer">
      <p className="small soft in-line">
        <span>{answer.sender.name} answered</span> <TimeAgo at={answer.createdAt} />
      </p>
      <Parts parts={answer.parts} label="Answer" />
    </section>
  );
}

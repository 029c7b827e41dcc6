import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";

const History = graphql(`
  query TaskHistory($id: ID!) {
    subjectEvents(subject: $id, first: 100) {
      id
      type
      occurredAt
      data
      actor {
        type
        name
      }
    }
  }
`);

type HistoryEvent = ResultOf<typeof History>["subjectEvents"][number];

/** A task's events, newest first, as long as they are kept. */
export function TaskHistory({ id, hasEnded }: { id: string; hasEnded: boolean }) {
  const { data, problem, refresh } = useLiveQuery(History, { id }, { types: ["task.*"] });
  const events = data?.subjectEvents ?? [];
  return (
    <section className="card stack-m" aria-labelledby="task-history">
      <h2 id="task-history">History</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      {data !== null && events.length === 0 && (
        <p className="soft">
          {hasEnded
            ? "Its events have been deleted, as they are older than the retention period."
            : "No events yet."}
        </p>
      )}
      <ol className="tasks-history">
        {events.map((event) => (
          <li key={event.id}>
            <span>{toSentence(event)}</span>
            <span className="soft">
              {event.actor.type === "SYSTEM" ? "Agent Ops" : event.actor.name} ·{" "}
              <TimeAgo at={event.occurredAt} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const SENTENCES: Readonly<Record<string, string>> = {
  "task.lease_expired": "Lease expired",
  "task.cancel_requested": "Cancel requested",
};

function toSentence({ type, data }: HistoryEvent): string {
  const [, happened = ""] = type.split(".");
  const { status, attempt } = readState(data);
  if (happened === "updated" && status !== null) return `Now ${toWords(status)}`;
  const said = SENTENCES[type] ?? capitalize(toWords(happened));
  return happened === "claimed" && attempt !== null ? `${said}, attempt ${attempt}` : said;
}

function readState(data: unknown): { status: string | null; attempt: number | null } {
  if (typeof data !== "object" || data === null) return { status: null, attempt: null };
  return {
    status: "status" in data && typeof data.status === "string" ? data.status : null,
    attempt: "attempt" in data && typeof data.attempt === "number" ? data.attempt : null,
  };
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

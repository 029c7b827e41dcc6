import { useState } from "react";
import { Link } from "wouter";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { RecentEvents } from "./recent-events.ts";
import { toSentence } from "./to-sentence.ts";

const SHOWN = 20;

/** Recent events in words, updated live. */
export function Ticker() {
  const { data, problem, refresh } = useLiveQuery(RecentEvents, { first: SHOWN }, { types: ["*"] });
  const events = data?.recentEvents ?? null;
  const [held, setHeld] = useState<typeof events>(null);
  const shown = held ?? events;
  return (
    <section className="card stack-m now-ticker" aria-labelledby="now-ticker">
      <div className="row-between">
        <h2 id="now-ticker">Activity</h2>
        <button
          type="button"
          className="button button-small"
          aria-pressed={held !== null}
          onClick={() => setHeld(held === null ? events : null)}
        >
          {held === null ? "Pause feed" : "Resume feed"}
        </button>
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      {shown?.length === 0 && <p className="small soft">No events yet.</p>}
      <ol className="now-events">
        {shown?.map((event) => {
          const { before, what, href, after } = toSentence(event);
          return (
            <li key={event.id}>
              <span>
                {before}
                {href === null ? what : <Link href={href}>{what}</Link>}
                {after}
              </span>
              <span className="small soft">
                <TimeAgo at={event.occurredAt} />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

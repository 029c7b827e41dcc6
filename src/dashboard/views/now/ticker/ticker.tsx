import { useState } from "react";
import { Link } from "wouter";
import { recentEvents } from "../../../data/live/recent-events.ts";
import { useStore } from "../../../data/store.ts";
import { useNewest } from "../../../data/use-newest.ts";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { sentenceOf } from "./sentence-of.ts";

const SHOWN = 20;

/** What happens, as it happens, in words. */
export function Ticker() {
  const events = useStore(recentEvents);
  const [held, setHeld] = useState<typeof events | null>(null);
  const newest = useNewest();
  const names = new Map([
    ...(newest?.agents.nodes ?? []).map(({ uuid, name }) => [uuid, name] as const),
    ...(newest?.tasks.nodes ?? []).map(({ uuid, title }) => [uuid, title] as const),
  ]);
  const shown = (held ?? events).slice(0, SHOWN);
  return (
    <section className="card stack-m now-ticker" aria-labelledby="now-ticker">
      <div className="row-between">
        <h2 id="now-ticker">What happens</h2>
        <button
          type="button"
          className="button button-small"
          aria-pressed={held !== null}
          onClick={() => setHeld(held === null ? events : null)}
        >
          {held === null ? "Hold" : "Go on"}
        </button>
      </div>
      {shown.length === 0 && (
        <p className="small soft">Nothing has happened since you opened the page. What does appears here.</p>
      )}
      <ol className="now-events">
        {shown.map((event) => {
          const { before, what, href, after } = sentenceOf(event, names);
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

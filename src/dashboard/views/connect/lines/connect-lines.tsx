import { CopyButton } from "../../../ui/copy-button.tsx";
import { type LineGroup, listLines } from "./list-lines.ts";

/** What to paste where. `secret` is null before there is a key. */
export function ConnectLines({ secret }: { secret: string | null }) {
  return (
    <div className="connect-lines">
      {listLines(window.location.origin, secret ?? "agk_…").map((group) => (
        <Group key={group.title} group={group} />
      ))}
    </div>
  );
}

function Group({ group: { title, about, lines } }: { group: LineGroup }) {
  return (
    <section className="card stack-m connect-card" aria-label={title}>
      <h2>{title}</h2>
      <p className="soft">{about}</p>
      {lines.map(({ where, text }) => (
        <div key={where} className="connect-line">
          <div className="row-between">
            <h3 className="label">{where}</h3>
            <CopyButton text={text} what={`lines: ${where}`} />
          </div>
          {/* Scrollable, so it must be focusable by keyboard. */}
          <pre className="json" tabIndex={0} role="region" aria-label={where}>
            {text}
          </pre>
        </div>
      ))}
    </section>
  );
}

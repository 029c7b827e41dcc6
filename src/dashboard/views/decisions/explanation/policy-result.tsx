import { Link } from "wouter";
import { PolicyChips } from "../../policies/policy-chips.tsx";
import type { ExplainedPolicy } from "./explanation-fields.ts";

const RESULTS = {
  TRUE: ["holds", "good"],
  FALSE: ["doesn’t hold", "plain"],
  ERROR: ["can’t be evaluated", "bad"],
  UNKNOWN: ["not known any more", "warn"],
} as const;

type Result = keyof typeof RESULTS;

/** A policy, and which parts of its condition held. */
export function PolicyResult({ policy }: { policy: ExplainedPolicy }) {
  const { uuid, name, effect, mode, result, error, decided, conditions } = policy;
  return (
    <>
      <div className="in-line">
        {uuid === null ? <span>{name} (not saved)</span> : <Link href={`/policies/${uuid}`}>{name}</Link>}
        <PolicyChips effect={effect} mode={mode} enabled />
        {conditions.length === 0 ? (
          <span className="small soft">always applies</span>
        ) : (
          <Held result={result} />
        )}
        {decided && <strong className="small">decided</strong>}
      </div>
      {error !== null && conditions.length === 0 && <p className="small decisions-error">{error}</p>}
      {conditions.length > 0 && (
        <ul className="decisions-parts">
          {conditions.map((part) => (
            <li
              key={`${part.depth} ${part.start}`}
              className="in-line"
              data-depth={Math.min(part.depth, DEEPEST)}
            >
              <code>{part.text}</code>
              <Held result={part.result} />
              {part.error !== null && <span className="small decisions-error">{part.error}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Deeper parts move no further to the right. */
const DEEPEST = 4;

function Held({ result }: { result: Result }) {
  const [label, tone] = RESULTS[result];
  return <span className={tone === "plain" ? "badge" : `badge badge-${tone}`}>{label}</span>;
}

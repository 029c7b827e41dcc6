import { Link } from "wouter";
import { toWords } from "../../../ui/words.ts";
import type { ShownDecision } from "./decision-query.ts";

type Matched = ShownDecision["policies"][number];

/** The policies that a request was checked by: those that decided first. */
export function DecisionPolicies({ policies }: { policies: readonly Matched[] }) {
  return (
    <section className="card stack-m" aria-labelledby="decision-policies">
      <h2 id="decision-policies">Policies</h2>
      {policies.length === 0 ? (
        <p className="soft">None applied.</p>
      ) : (
        <ul className="decisions-policies">
          {policies.map((policy) => (
            <li key={policy.uuid}>
              <Policy policy={policy} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const EFFECTS = {
  ALLOW: ["allows", "good"],
  DENY: ["denies", "bad"],
  ASK: ["asks", "warn"],
} as const;

function Policy({ policy: { uuid, name, generation, effect, mode, error, decided } }: { policy: Matched }) {
  const [verb, tone] = EFFECTS[effect];
  return (
    <>
      <div className="in-line">
        <Link href={`/policies/${uuid}`}>{name}</Link>
        <span className={`badge badge-${tone}`}>{verb}</span>
        {mode === "MONITOR" && <span className="badge">monitored</span>}
        {decided && <strong className="small">decided</strong>}
        <span className="small soft">version {generation}</span>
      </div>
      {error !== null && (
        <p className="small decisions-error">
          Its condition couldn’t be evaluated for this request: {toWords(error)}.
        </p>
      )}
    </>
  );
}

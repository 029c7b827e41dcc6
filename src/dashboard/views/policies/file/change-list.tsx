import { Link } from "wouter";
import { Differences } from "../../../ui/differences.tsx";
import { listDifferences } from "../history/list-differences.ts";
import { PolicyChips } from "../policy-chips.tsx";
import type { FileDiff } from "./file-queries.ts";

/** The policies that a file adds (+), changes (~) and, if asked to, removes (−). */
export function ChangeList({ diff, prune }: { diff: FileDiff; prune: boolean }) {
  const { added, changed, missing } = diff;
  return (
    <ul className="policies-changes">
      {added.map((rule) => (
        <li key={`+ ${rule.name}`} className="in-line">
          <Sign sign="+" meaning="added" /> <strong>{rule.name}</strong> <PolicyChips {...rule} />
        </li>
      ))}
      {changed.map(({ policy, rule }) => (
        <li key={`~ ${rule.name}`} className="stack-s">
          <div className="in-line">
            <Sign sign="~" meaning="changed" />
            <Link href={`/policies/${policy.uuid}`}>{rule.name}</Link>
          </div>
          <Differences differences={listDifferences(policy, rule)} />
        </li>
      ))}
      {prune &&
        missing.map((policy) => (
          <li key={`- ${policy.name}`} className="in-line">
            <Sign sign="−" meaning="removed" />
            <Link href={`/policies/${policy.uuid}`}>{policy.name}</Link> <PolicyChips {...policy} />
          </li>
        ))}
    </ul>
  );
}

function Sign({ sign, meaning }: { sign: string; meaning: string }) {
  return (
    <>
      <code aria-hidden="true">{sign}</code>
      <span className="visually-hidden">{meaning}:</span>
    </>
  );
}

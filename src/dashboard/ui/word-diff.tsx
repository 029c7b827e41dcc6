import { diffWordsWithSpace } from "diff";

export type WordDiffProps = {
  /** For screen readers: what is compared. */
  label: string;
  before: string;
  after: string;
};

/** Texts that differ more are not compared, because that would take long. */
const LIMITS = { maxEditLength: 1000 };

/** Two texts as one, with the words that were removed and added. */
export function WordDiff({ label, before, after }: WordDiffProps) {
  const parts = diffWordsWithSpace(before, after, LIMITS);
  if (parts === undefined)
    return <p className="small soft">They have too little in common to be compared.</p>;
  return (
    <pre className="json word-diff" tabIndex={0} role="region" aria-label={label}>
      {parts.map(({ value, added, removed }, place) => {
        // A part has nothing of its own to be known by.
        const key = `${place} ${value}`;
        if (added) return <ins key={key}>{value}</ins>;
        return removed ? <del key={key}>{value}</del> : <span key={key}>{value}</span>;
      })}
    </pre>
  );
}

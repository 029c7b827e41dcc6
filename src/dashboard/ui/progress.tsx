import { formatPercent } from "./words.ts";

/** How far something has come, from 0 to 1, as a bar and in percent. `of` names it to who can't see it. */
export function Progress({ value, of }: { value: number; of: string }) {
  return (
    <>
      <progress value={value} aria-label={`Progress of ${of}`} />
      <span>{formatPercent(value)}</span>
    </>
  );
}

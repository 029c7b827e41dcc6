import { formatPercent } from "./words.ts";

/** A progress bar with a percentage, for a value from 0 to 1. `of` is for screen readers. */
export function Progress({ value, of }: { value: number; of: string }) {
  return (
    <>
      <progress value={value} aria-label={`Progress of ${of}`} />
      <span>{formatPercent(value)}</span>
    </>
  );
}

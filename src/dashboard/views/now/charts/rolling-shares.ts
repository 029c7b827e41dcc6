type Counts = readonly (number | null)[];

/**
 * The share of `some` in `some` and `others`, at each step of the last `size` steps.
 *
 * @returns as many as the longer one has; null where both are 0.
 */
export function toRollingShares(some: Counts, others: Counts, size: number): (number | null)[] {
  let [own, all] = [0, 0];
  return Array.from({ length: Math.max(some.length, others.length) }, (_, at) => {
    own += (some[at] ?? 0) - (some[at - size] ?? 0);
    all += sum(at) - sum(at - size);
    return all === 0 ? null : own / all;
  });

  function sum(at: number): number {
    return (some[at] ?? 0) + (others[at] ?? 0);
  }
}

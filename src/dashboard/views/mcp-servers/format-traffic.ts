/** What is counted at most. */
const [MOST_CALLS, MOST_DENIALS] = [500, 2000];
/** Calls are no events. */
export const TRAFFIC_EVERY_MS = 10_000;

export function formatCalls(count: number): string {
  return formatUpTo(count, MOST_CALLS);
}

export function formatDenials(count: number): string {
  return formatUpTo(count, MOST_DENIALS);
}

function formatUpTo(count: number, most: number): string {
  return count < most ? String(count) : `${most}+`;
}

/** Names of A2A, which say less here than ours. */
const OWN_WORDS: Readonly<Record<string, string>> = { AUTH_REQUIRED: "awaiting approval" };

/** Formats an enum value: INPUT_REQUIRED as "input required". */
export function toWords(value: string): string {
  const own = OWN_WORDS[value.toUpperCase()];
  if (own !== undefined) return own;
  return value.toLowerCase().replaceAll("_", " ");
}

/** Formats a count: "1 task", "1,204 tasks". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Formats a fraction as a percentage: "40 %". */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration in its two largest units: "3 h 12 min". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([, size]) => whole >= size);
  if (first === -1) return "0 s";
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}

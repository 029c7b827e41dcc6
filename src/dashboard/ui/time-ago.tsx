import { useNow } from "./use-now.ts";
import { formatDuration } from "./words.ts";

const ABSOLUTE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** A relative time, with the exact time as its title. "–" for null. */
export function TimeAgo({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">–</span>;
  const seconds = (now - Date.parse(at)) / 1000;
  return (
    <time dateTime={at} title={ABSOLUTE.format(new Date(at))} className="nowrap">
      {formatAgo(seconds)}
    </time>
  );
}

function formatAgo(seconds: number): string {
  if (seconds < -1) return `in ${formatRoughly(-seconds)}`;
  return seconds < 2 ? "just now" : `${formatRoughly(seconds)} ago`;
}

/** One unit is precise enough at a glance. */
function formatRoughly(seconds: number): string {
  return formatDuration(seconds).split(" ").slice(0, 2).join(" ");
}

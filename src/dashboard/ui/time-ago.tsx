import { useNow } from "./use-now.ts";
import { durationOf } from "./words.ts";

const ABSOLUTE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** How long ago something was, or how long until it will be, with the instant as its title. "–" for never. */
export function TimeAgo({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">–</span>;
  const seconds = (now - Date.parse(at)) / 1000;
  return (
    <time dateTime={at} title={ABSOLUTE.format(new Date(at))} className="nowrap">
      {agoOf(seconds)}
    </time>
  );
}

function agoOf(seconds: number): string {
  if (seconds < -1) return `in ${roughly(-seconds)}`;
  return seconds < 2 ? "just now" : `${roughly(seconds)} ago`;
}

/** One unit is enough for what is read at a glance. */
function roughly(seconds: number): string {
  return durationOf(seconds).split(" ").slice(0, 2).join(" ");
}

import { useNow } from "./use-now.ts";
import { formatDuration } from "./words.ts";

const ABSOLUTE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const SOON_SECONDS = 60;

/** The time that is left, with the exact end as its title. */
export function Countdown({ until }: { until: string }) {
  const seconds = (Date.parse(until) - useNow()) / 1000;
  return (
    <time
      dateTime={until}
      title={ABSOLUTE.format(new Date(until))}
      className={seconds < SOON_SECONDS ? "nowrap countdown-soon" : "nowrap"}
    >
      {seconds <= 0 ? "time is up" : `${formatDuration(seconds)} left`}
    </time>
  );
}

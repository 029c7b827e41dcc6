import { formatMicroseconds } from "../format-microseconds.ts";
import { type TimeWindow, listTicks } from "../tree/time-window.ts";

/** Further to the right, there is no room for the text. In percent. */
const LAST = 90;

/** Times since the trace started, above the bars. */
export function TimeAxis({ window }: { window: TimeWindow }) {
  return (
    <div className="traces-row traces-axis" aria-hidden="true">
      <span />
      <span />
      <span className="traces-used" />
      <div className="traces-time">
        {listTicks(window)
          .filter(({ left }) => left < LAST)
          .map(({ us, left }) => (
            <span key={us} className="traces-tick" style={{ left: `${left}%` }}>
              {us === 0 ? "0" : formatMicroseconds(us)}
            </span>
          ))}
      </div>
    </div>
  );
}

import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { useKeys } from "../../../ui/use-keys.ts";
import { OtherScore } from "./other-score.tsx";
import { ScoreLine } from "./score-line.tsx";
import { ScoreTrace, ScoresQuery } from "./scores-query.ts";

export type ScoresProps = {
  traceId: string;
  /** Null for the whole trace. */
  spanId: string | null;
  /** Whether `+` and `-` are for these. */
  isKeyed: boolean;
};

const TYPES = ["trace.scored", "trace.score_deleted"];

/** What `+` and `-` judge. */
const QUALITY = "quality";

/** What people, programs and models think of a trace or a span. */
export function Scores({ traceId, spanId, isKeyed }: ScoresProps) {
  const { data, problem, refresh } = useLiveQuery(ScoresQuery, { traceId }, { types: TYPES });
  const { act, problem: refusal } = useAct(ScoreTrace);
  const scores = data?.trace.scores.filter((score) => score.spanId === spanId) ?? [];
  async function judge(value: number): Promise<void> {
    await act({ input: { traceId, spanId, name: QUALITY, value } });
  }
  useKeys(isKeyed ? { "+": () => void judge(1), "-": () => void judge(0) } : {});
  const what = spanId === null ? "trace" : "span";
  // A span's are within its panel, which has a heading of its own.
  const Heading = spanId === null ? "h2" : "h3";
  return (
    <section className="stack-s" aria-label={`Scores of the ${what}`}>
      <div className="row-between">
        <Heading>Scores</Heading>
        <div className="actions">
          <button
            type="button"
            className="button button-small"
            aria-keyshortcuts="+"
            onClick={() => void judge(1)}
          >
            Good&nbsp;<kbd aria-hidden="true">+</kbd>
          </button>
          <button
            type="button"
            className="button button-small"
            aria-keyshortcuts="-"
            onClick={() => void judge(0)}
          >
            Bad&nbsp;<kbd aria-hidden="true">-</kbd>
          </button>
        </div>
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ErrorNote problem={refusal} />
      {data !== null && scores.length === 0 && <p className="small soft">Nobody has scored this {what}.</p>}
      {scores.length > 0 && (
        <ul className="stack-s" aria-label="Scores">
          {scores.map((score) => (
            <ScoreLine key={score.uuid} score={score} />
          ))}
        </ul>
      )}
      <OtherScore traceId={traceId} spanId={spanId} />
    </section>
  );
}

import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast, useViewer } from "../../../data/viewer.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { DeleteScore, type ShownScore } from "./scores-query.ts";

const KINDS = { HUMAN: "person", CODE: "program", LLM: "model" } as const;

/** One score, with who gave it. */
export function ScoreLine({ score }: { score: ShownScore }) {
  const { act, isBusy, problem } = useAct(DeleteScore);
  const isOwn = useViewer().uuid === score.givenBy.uuid;
  const isAdmin = useIsAtLeast("ADMIN");
  const name = toVisibleText(score.name);
  return (
    <li className="stack-s">
      <div className="row-between">
        <span>
          {name}: <strong>{writeScore(score)}</strong>{" "}
          <span className="small soft">
            {toVisibleText(score.givenBy.name)} ({KINDS[score.annotatorKind]}) ·{" "}
            <TimeAgo at={score.updatedAt} />
          </span>
        </span>
        {(isOwn || isAdmin) && (
          <button
            type="button"
            className="button button-small"
            aria-label={`Delete score ${name}`}
            disabled={isBusy}
            onClick={() => void act({ uuid: score.uuid })}
          >
            Delete
          </button>
        )}
      </div>
      {score.comment !== null && <p className="small">{toVisibleText(score.comment, "\n")}</p>}
      <ErrorNote problem={problem} />
    </li>
  );
}

function writeScore({ value, label }: ShownScore): string {
  const shown = [label === null ? null : toVisibleText(label), value?.toLocaleString("en") ?? null];
  return shown.filter((one) => one !== null).join(", ");
}

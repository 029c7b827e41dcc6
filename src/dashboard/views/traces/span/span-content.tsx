import { useAsk } from "../../../data/use-ask.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { parseTexts } from "./parse-texts.ts";
import { SpanContentQuery } from "./span-query.ts";

/** Prompts, answers and arguments, when asked for. */
export function SpanContent({ traceId, spanId }: { traceId: string; spanId: string }) {
  const { ask, answer, isBusy, problem } = useAsk(SpanContentQuery);
  const mayRead = useIsAtLeast("OPERATOR");
  if (!mayRead) {
    return <p className="small soft">Prompts, answers and arguments are shown to operators and admins.</p>;
  }
  return (
    <section className="stack-s" aria-label="Content">
      <h3>Content</h3>
      <ErrorNote problem={problem} />
      <Busy isBusy={isBusy} />
      {answer === null ? (
        <div>
          <button
            type="button"
            className="button button-small"
            aria-disabled={isBusy}
            onClick={() => void ask({ traceId, spanId })}
          >
            Show prompts, answers and arguments
          </button>
        </div>
      ) : (
        <Content content={answer.data.trace.span?.content ?? null} workspace={answer.data.workspace} />
      )}
    </section>
  );
}

type ContentProps = {
  content: { input: unknown; output: unknown } | null;
  workspace: { captureContent: "FULL" | "REDACTED" | "OFF"; contentRetentionDays: number };
};

function Content({ content, workspace: { captureContent, contentRetentionDays } }: ContentProps) {
  if (content === null) {
    return (
      <p className="small soft">
        {captureContent === "OFF"
          ? "None is stored: this workspace does not store content."
          : `None is stored. The span was sent without or more than ${contentRetentionDays} days ago, or none is stored of its agent.`}
      </p>
    );
  }
  return (
    <>
      {content.input !== null && <Titled title="Input" value={content.input} />}
      {content.output !== null && <Titled title="Output" value={content.output} />}
    </>
  );
}

function Titled({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <p className="small soft">{title}</p>
      <JsonTree value={parseTexts(value)} label={`${title} as a tree`} isPlain />
    </div>
  );
}

import { graphql } from "../../../data/graphql.ts";
import { useAsk } from "../../../data/use-ask.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Explanation } from "../explanation/explanation.tsx";
import { ExplanationFields } from "../explanation/explanation-fields.ts";

const ExplainDecisionQuery = graphql(
  `
    query ExplainDecision($id: ID!) {
      explainDecision(id: $id) {
        ...ExplanationFields
      }
    }
  `,
  [ExplanationFields],
);

/** Evaluates the policies of then part by part, when asked to. */
export function ExplainDecision({ id }: { id: string }) {
  const { ask, answer, isBusy, problem } = useAsk(ExplainDecisionQuery);
  return (
    <section className="card stack-m" aria-labelledby="decision-explanation">
      <h2 id="decision-explanation">Explanation</h2>
      <ErrorNote problem={problem} />
      <Busy isBusy={isBusy} />
      {answer === null ? (
        <div>
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void ask({ id })}>
            Explain it part by part
          </button>
        </div>
      ) : (
        <Explanation explanation={answer.data.explainDecision} />
      )}
    </section>
  );
}

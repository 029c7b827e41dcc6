import { Link } from "wouter";
import { formatAmount } from "../../budgets/words/amounts.ts";
import { describeTerms } from "../../policies/words/describe-terms.ts";
import { formatCount } from "../../../ui/words.ts";
import { explainReason } from "../decision-words.ts";
import { OutcomeChips } from "../outcome-chips.tsx";
import type { ExceededBudget, ShownExplanation, ShownStep } from "./explanation-fields.ts";
import { PolicyResult } from "./policy-result.tsx";

/** Why a request was or would be decided so, step by step. */
export function Explanation({ explanation }: { explanation: ShownExplanation }) {
  const { outcome, reason, steps, gaps } = explanation;
  return (
    <div className="stack-m">
      <p className="in-line">
        <OutcomeChips outcome={outcome} would={null} />
        <span>{explainReason(reason)}</span>
      </p>
      <ol className="stack-m decisions-steps">
        {steps.map((step) => (
          <li key={step.step} className="stack-s">
            <p className="in-line">
              <span>{describeStep(step)}</span>
              {step.decided && <strong className="small">decided</strong>}
            </p>
            <Details step={step} />
          </li>
        ))}
      </ol>
      {gaps.map((gap) => (
        <p key={gap} className="small soft">
          {gap}
        </p>
      ))}
    </div>
  );
}

function describeStep({ step, decided, considered, of, budget }: ShownStep): string {
  switch (step) {
    case "STOP":
      return decided ? "The agent may do nothing." : "The agent is neither stopped nor paused.";
    case "REVIEW":
      return "Each tool of an MCP server has to be approved by an admin, as it is.";
    case "POLICIES":
      return `${considered ?? 0} of ${formatCount(of ?? 0, "enabled policy", "enabled policies")} ${considered === 1 ? "is" : "are"} about this.`;
    case "BUDGETS":
      return budget === null ? "A budget has no room." : describeExceeded(budget);
    case "APPROVAL":
      return "A person has to approve it.";
  }
}

/** "The budget “refunds” had no room: limit $10, used $9.50, reserved $0.40." */
function describeExceeded({ name, unit, limit, used, reserved }: ExceededBudget): string {
  const [all, gone, held] = [limit, used, reserved].map((amount) => formatAmount(unit, amount));
  return `The budget “${name}” had no room: limit ${all}, used ${gone}, reserved ${held}.`;
}

function Details({ step: { policies, approval, budget } }: { step: ShownStep }) {
  return (
    <>
      {budget !== null && (
        <Link className="small" href={`/budgets/${budget.uuid}`}>
          View budget
        </Link>
      )}
      {policies !== null && policies.length > 0 && (
        <ul className="decisions-policies">
          {policies.map((policy) => (
            <li key={policy.name} className="stack-s">
              <PolicyResult policy={policy} />
            </li>
          ))}
        </ul>
      )}
      {approval !== null && <p className="small soft">{describeTerms(approval).join(" ")}</p>}
    </>
  );
}

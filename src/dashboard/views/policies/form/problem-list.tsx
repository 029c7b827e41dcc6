import type { RuleProblem } from "./use-validation.ts";

export type ProblemListProps = {
  problems: readonly RuleProblem[];
  /** The condition that was checked. */
  text: string;
  isError: boolean;
  /** Selects where the problem is. */
  onShow: (problem: RuleProblem) => void;
};

/** What is wrong with a condition, or may surprise, and where. */
export function ProblemList({ problems, text, isError, onShow }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={isError ? "policies-problems field-error" : "policies-problems policies-warnings"}>
      {problems.map((problem) => (
        <li key={`${problem.start} ${problem.message}`}>
          {!isError && "Warning: "}
          {problem.message}
          {problem.start !== null && (
            <>
              {" "}
              <button type="button" className="button button-link" onClick={() => onShow(problem)}>
                {formatPlace(text, problem.start)}
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatPlace(text: string, start: number): string {
  const lines = text.slice(0, start).split("\n");
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return text.includes("\n") ? `line ${lines.length}, character ${column}` : `character ${column}`;
}

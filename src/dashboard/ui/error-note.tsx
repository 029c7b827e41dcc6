import type { UserProblem } from "../data/problem.ts";

/** Shows a problem where it happened. Renders nothing for null. */
export function ErrorNote({ problem, onRetry }: { problem: UserProblem | null; onRetry?: () => void }) {
  if (problem === null) return null;
  return (
    <div className="notice notice-bad note" role="alert">
      <p>{problem.text}</p>
      {onRetry !== undefined && (
        <button type="button" className="button button-small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

import { StatusChip } from "../../../ui/status-chip.tsx";
import { errorsOf } from "../errors-of.ts";

/** What is wrong with a robot, the worst first, and what it says can be done. */
export function RobotErrors({ errors }: { errors: unknown }) {
  const known = errorsOf(errors);
  return (
    <section className="card stack-m" aria-labelledby="robot-errors">
      <h2 id="robot-errors">Errors</h2>
      {known.length === 0 && <p className="soft">It reports none.</p>}
      {known.length > 0 && (
        <ul className="robots-errors">
          {known.map(({ type, level, description, hint }) => (
            <li key={`${level} ${type} ${description ?? ""}`} className="stack-s">
              <span className="in-line">
                <StatusChip status={level} />
                <strong>{type}</strong>
              </span>
              {description !== null && <p>{description}</p>}
              {hint !== null && <p className="soft">What to do: {hint}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import type { FileProblem } from "./file-queries.ts";

/** What is wrong with a file, and where. */
export function FileProblems({ problems }: { problems: readonly FileProblem[] }) {
  if (problems.length === 0) return null;
  const different = new Map(problems.map((one) => [`${one.line} ${one.column} ${one.message}`, one]));
  return (
    <div role="alert" className="stack-s">
      <p className="field-error">The file is invalid, so that nothing of it can be applied.</p>
      <ul className="policies-problems">
        {[...different].map(([key, { line, column, message }]) => (
          <li key={key}>
            <span className="soft">
              Line {line}, column {column}:
            </span>{" "}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

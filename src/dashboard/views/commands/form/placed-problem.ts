import type { Problem } from "../../../data/problem.ts";

/** Puts what is wrong deep inside of a field, `params.pose.x`, at the field that it is typed into: `params.pose`. */
export function placed(problem: Problem | null, names: readonly string[]): Problem | null {
  if (problem === null) return null;
  const fields: Record<string, string> = {};
  for (const [path, text] of Object.entries(problem.fields)) {
    const owner = names.find((name) => path.startsWith(`${name}.`));
    fields[owner ?? path] = owner === undefined ? text : `${path.slice(owner.length + 1)} ${text}`;
  }
  return { ...problem, fields };
}

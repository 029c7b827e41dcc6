import { formatCount, formatDuration, toWords } from "../../../ui/words.ts";
import type { ShownPolicy } from "../policy-fields.ts";

/** How a person approves, in sentences. */
export function describeTerms(terms: NonNullable<ShownPolicy["approval"]>): string[] {
  const { role, persons, ttlSeconds, validSeconds, uses, scope, edits } = terms;
  const who = `${toWords(role)} or above`;
  return [
    persons === 1
      ? `One person who is ${who} approves.`
      : `${persons} different people who are ${who} approve.`,
    `They have ${formatDuration(ttlSeconds)}.`,
    `An approval holds for ${formatDuration(validSeconds)} and ${formatCount(uses, "use")}, for ${
      scope === "EXACT" ? "exactly this request" : "any request of the agent to the same resource"
    }.`,
    edits ? "They may edit the arguments." : "They can’t edit the arguments.",
  ];
}

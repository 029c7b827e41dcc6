import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownBudget, ShownSum } from "../budget-fields.ts";

/** Whose sum it is. Null if the budget has only one. */
export function getSumName(
  { scope }: Pick<ShownBudget, "scope">,
  { subject, agent }: ShownSum,
): string | null {
  if (scope.type === "EACH_AGENT") return agent?.name ?? "Unnamed agent";
  return scope.type === "EACH_LABEL" ? toVisibleText(`${scope.label ?? ""} = ${subject}`) : null;
}

import type { ShownBudget } from "../budget-fields.ts";

/** Whose use counts, as words. */
export function describeScope({ type, agent, label, value }: ShownBudget["scope"]): string {
  switch (type) {
    case "WORKSPACE":
      return "all agents together";
    case "EACH_AGENT":
      return "each agent";
    case "AGENT":
      return agent?.name ?? "one agent";
    case "EACH_LABEL":
      return `agents with the same label ${label ?? ""}`;
    case "LABEL":
      return `agents with ${label ?? ""} = ${value ?? ""}`;
  }
}

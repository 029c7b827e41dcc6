import type { VariablesOf } from "gql.tada";
import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import type { IssueCommand } from "./issue-command.ts";
import { parseLabels } from "../../../data/parse-labels.ts";
import { type CommandOrder, getType } from "./order.ts";
import { type ParamField, parseJsonParams, parseTypedParams } from "./param-fields.ts";
import { parseKind } from "./use-targets.ts";

export type CommandInput = VariablesOf<typeof IssueCommand>["input"];

/** The parsed input, or why it is invalid. */
export type ParsedOrder = { input: CommandInput; problem: null } | { problem: UserProblem };

/** Parses the form. `fields` is null if the params were entered as JSON. */
export function toCommandInput(order: CommandOrder, fields: readonly ParamField[] | null): ParsedOrder {
  const { params, problems } =
    fields === null ? parseJsonParams(order.json) : parseTypedParams(fields, order.params);
  const labels = parseLabels(order.labels);
  if (order.to === "many" && labels === null)
    problems["labels"] = "Enter labels as name=value, separated by commas.";
  const [first] = Object.values(problems);
  if (first !== undefined)
    return { problem: { text: "Some fields are invalid.", code: "TYPED", fields: problems } };
  const target =
    order.to === "one"
      ? { agentId: toGlobalId("Agent", order.agent) }
      : { selector: { kind: parseKind(order.kind), labels } };
  return {
    problem: null,
    input: {
      ...target,
      type: getType(order),
      params,
      priority: order.isUrgent ? "URGENT" : "NORMAL",
      expiresInSeconds: Number(order.expiresInSeconds),
    },
  };
}

import type { VariablesOf } from "gql.tada";
import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import type { IssueCommand } from "./issue-command.ts";
import { parseLabels } from "./parse-labels.ts";
import { type CommandOrder, getType } from "./order.ts";
import { type ParamField, parseJsonParams, parseTypedParams } from "./param-fields.ts";
import { parseKind } from "./use-targets.ts";

/** A command as it is sent. */
export type CommandInput = VariablesOf<typeof IssueCommand>["input"];

/** What was typed as it is sent, or why it can't be. */
export type ParsedOrder = { input: CommandInput; problem: null } | { problem: UserProblem };

/** Reads what was typed. `fields` is null where the params were typed as JSON. */
export function toCommandInput(order: CommandOrder, fields: readonly ParamField[] | null): ParsedOrder {
  const { params, problems } =
    fields === null ? parseJsonParams(order.json) : parseTypedParams(fields, order.params);
  const labels = parseLabels(order.labels);
  if (order.to === "many" && labels === null) problems["labels"] = "Each is a name, = and a value.";
  const [first] = Object.values(problems);
  if (first !== undefined)
    return { problem: { text: "Something typed can’t be read.", code: "TYPED", fields: problems } };
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

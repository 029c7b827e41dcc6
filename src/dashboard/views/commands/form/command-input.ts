import type { VariablesOf } from "gql.tada";
import { globalId } from "../../../data/global-id.ts";
import type { Problem } from "../../../data/problem.ts";
import type { IssueCommand } from "./issue-command.ts";
import { labelsOf } from "./labels-of.ts";
import { type Order, typeOf } from "./order.ts";
import { type ParamField, jsonParams, typedParams } from "./param-fields.ts";
import { kindOf } from "./use-targets.ts";

/** A command as it is sent. */
export type CommandInput = VariablesOf<typeof IssueCommand>["input"];

/** What was typed as it is sent, or why it can't be. */
export type ReadOrder = { input: CommandInput; problem: null } | { problem: Problem };

/** Reads what was typed. `fields` is null where the params were typed as JSON. */
export function commandInputOf(order: Order, fields: readonly ParamField[] | null): ReadOrder {
  const { params, problems } = fields === null ? jsonParams(order.json) : typedParams(fields, order.params);
  const labels = labelsOf(order.labels);
  if (order.to === "many" && labels === null) problems["labels"] = "Each is a name, = and a value.";
  const [first] = Object.values(problems);
  if (first !== undefined)
    return { problem: { text: "Something typed can’t be read.", code: "TYPED", fields: problems } };
  const target =
    order.to === "one"
      ? { agentId: globalId("Agent", order.agent) }
      : { selector: { kind: kindOf(order.kind), labels } };
  return {
    problem: null,
    input: {
      ...target,
      type: typeOf(order),
      params,
      priority: order.isUrgent ? "URGENT" : "NORMAL",
      expiresInSeconds: Number(order.expiresInSeconds),
    },
  };
}

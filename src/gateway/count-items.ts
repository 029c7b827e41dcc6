import {
  type ExecutionArgs,
  type GraphQLInputType,
  type VariableDefinitionNode,
  getNullableType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  typeFromAST,
} from "graphql";
import { isObject } from "../domain/kernel/is-object.ts";

type Given = Pick<ExecutionArgs, "schema" | "variableValues">;

/** Counts the items of all lists in the variables, but none in JSON, which is not coerced. */
export function countItems(
  { schema, variableValues }: Given,
  definitions: readonly VariableDefinitionNode[],
): number {
  return sum(definitions, ({ type: node, variable }) => {
    const type = typeFromAST(schema, node);
    return isInputType(type) ? countIn(type, variableValues?.[variable.name.value]) : 0;
  });
}

function countIn(given: GraphQLInputType, value: unknown): number {
  const type = getNullableType(given);
  if (isListType(type) && Array.isArray(value)) {
    const items: unknown[] = value;
    const inner = getNullableType(type.ofType);
    return items.length + (isLeafType(inner) ? 0 : sum(items, (item) => countIn(inner, item)));
  }
  if (isInputObjectType(type) && isObject(value)) {
    return sum(Object.values(type.getFields()), (field) => countIn(field.type, value[field.name]));
  }
  return 0;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += count(item);
  return total;
}

import type { FieldComplexityFunction, FieldComplexityValue } from "@pothos/plugin-complexity";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import type { Ctx } from "../domain/kernel/context.ts";

/** The complexity that each operation has besides that of its answer: for a transaction, or for a statement. */
export const OPERATION_COST = { mutation: 200, query: 50 } as const;

type Price = FieldComplexityValue | FieldComplexityFunction<Ctx, Record<string, unknown>>;

/** Adds these prices to a schema, so that a document of many operations costs about as much as many requests. */
export function priceOperations(schema: GraphQLSchema): void {
  addPrice(schema.getMutationType(), OPERATION_COST.mutation);
  addPrice(schema.getQueryType(), OPERATION_COST.query);
}

function addPrice(root: GraphQLObjectType | null | undefined, added: number): void {
  for (const field of Object.values(root?.getFields() ?? {})) {
    // The complexity plugin puts each field's price there.
    const price = field.extensions.complexity as Price;
    const complexity: Price =
      typeof price === "function" ? (...args) => sum(price(...args), added) : sum(price, added);
    field.extensions = { ...field.extensions, complexity };
  }
}

function sum(price: FieldComplexityValue, added: number): FieldComplexityValue {
  return typeof price === "number" ? price + added : { ...price, field: (price.field ?? 1) + added };
}

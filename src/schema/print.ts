import { lexicographicSortSchema, printSchema } from "graphql";
import { schema } from "./schema.ts";

/** Prints the schema as in schema.graphql. */
export function printSortedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

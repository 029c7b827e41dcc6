import { lexicographicSortSchema, printSchema } from "graphql";
import { schema } from "./schema.ts";

/** The schema as schema.graphql holds it. */
export function printSortedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

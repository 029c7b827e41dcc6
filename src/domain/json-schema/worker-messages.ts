import type { SchemaProblem } from "./schema-rules.ts";

/** A schema to compile and a value to validate, both as JSON. Null only compiles. */
export type SchemaCheck = { schema: string; value: string | null };

/** A worker's task. Numbers increase. */
export type SchemaTask = SchemaCheck & { number: number };

/** The first problem of the schema or value; null for none. */
export type SchemaVerdict = (SchemaProblem & { subject: "schema" | "value" }) | null;

/** The result of a task and its duration. */
export type SchemaAnswer = { verdict: SchemaVerdict; tookMs: number };

import type { SchemaProblem } from "./schema-rules.ts";

/** A schema to compile, and a value to hold to it; both as JSON. Null compiles it alone. */
export type SchemaCheck = { schema: string; value: string | null };

/** What a worker is to do; its numbers rise. */
export type SchemaTask = SchemaCheck & { number: number };

/** What is wrong first, with the schema itself or with the value; null for nothing. */
export type SchemaVerdict = (SchemaProblem & { subject: "schema" | "value" }) | null;

/** What came of a task, and how long it took. */
export type SchemaAnswer = { verdict: SchemaVerdict; tookMs: number };

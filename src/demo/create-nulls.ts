import type { Table } from "../db/columns.ts";

type Nulls<Row> = { [Field in keyof Row as null extends Row[Field] ? Field : never]: null };

/** What a row of the demo has where its scenario says nothing. */
export function createNulls<Row>({ fields }: Table): Nulls<Row> {
  // The type leaves out what can't be null: a row has to say that itself.
  return Object.fromEntries(fields.map((field) => [field, null])) as Nulls<Row>;
}

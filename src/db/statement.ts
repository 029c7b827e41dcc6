/** A statement that is prepared once per connection, under its name. */
export type Statement = {
  name: string;
  text: string;
  /** Returns instants as ISO 8601 text instead of Dates, for rows that are only passed on. */
  instants?: "text";
};

/** A statement with its values. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** Runs one prepared statement outside any transaction. */
export type ReadStatement = <Row extends object>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

/** Runs one prepared statement in a transaction. */
export type RunStatement = ReadStatement;

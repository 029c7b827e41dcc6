import { createHash } from "node:crypto";

/** An SQL statement with parameters `$1`, `$2` and so on, and the type of its rows. */
export type Statement<Row extends object = object> = {
  /** Prepared once per connection under this name. Not prepared if it is empty. */
  name: string;
  text: string;
  /** The number of the parameter for {@link NOW}, the last one; undefined if there is none. */
  timePlace?: number;
  /** Identical concurrent calls share one run. The rows are read-only. */
  isShared?: boolean;
  /** The rows may be some seconds old, so a replica may be asked. */
  mayLag?: boolean;
  /** Timestamps come as ISO 8601 text instead of Dates: for rows that are only passed on. */
  instants?: "text";
  /** Only for type inference. */
  row?: Row;
};

/** A statement with its values. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** Runs one statement and returns its rows. A value for {@link NOW} may follow the others. */
export type Run = <Row extends object>(
  statement: Statement<Row>,
  values: readonly unknown[],
) => Promise<Row[]>;

/** The time in a statement: PostgreSQL's time at the start of the transaction, or a test's. */
export const NOW = ":now";

/** PostgreSQL's time when the row is reached, for instance after waiting for its lock, or a test's. */
export const CLOCK = ":clock";

/**
 * The workspace in `$1`, so that PostgreSQL plans for any workspace. Of one without statistics it believes that it has
 * hardly a row, and reads all of them where it should look some up.
 */
export const SOME_WORKSPACE = "(SELECT $1::uuid)";

/** All statements created by {@link sql}, for the test in which PostgreSQL checks them. */
export const STATEMENTS: { source: readonly string[]; statement: Statement }[] = [];

/**
 * Defines a fixed statement, outside of functions. It is prepared when it is first run.
 *
 * @param fragments SQL of the program, such as a list of columns. Never a caller's text.
 */
export function sql<Row extends object = object>(
  source: TemplateStringsArray,
  ...fragments: readonly (string | number)[]
): Statement<Row> {
  const text = String.raw({ raw: source }, ...fragments);
  const statement = buildStatement<Row>(nameText(text), text);
  STATEMENTS.push({ source, statement });
  return statement;
}

/**
 * Builds a statement whose text depends on the request. Name it only if it is frequent, and no other text has the name:
 * a connection refuses that.
 */
export function buildStatement<Row extends object = object>(name: string, text: string): Statement<Row> {
  if (!text.includes(NOW) && !text.includes(CLOCK)) return { name, text };
  const timePlace = countParameters(text) + 1;
  const [now, clock] = ["now", "clock_timestamp"].map(
    (time) => `COALESCE($${timePlace}::timestamptz, ${time}())`,
  );
  return { name, timePlace, text: text.replaceAll(NOW, now ?? "").replaceAll(CLOCK, clock ?? "") };
}

/** Lets identical concurrent calls share one run. */
export function share<Row extends object>(statement: Statement<Row>): Statement<Row> {
  return { ...statement, isShared: true };
}

/**
 * Lets a replica be asked, for what is read often or costs much, and is looked at again anyway. Never for what a caller
 * may have just written.
 */
export function allowLag<Row extends object>(statement: Statement<Row>): Statement<Row> {
  return { ...statement, mayLag: true };
}

/** Adds the time to a statement's values, if it needs one that is missing. */
export function bindTime(
  { timePlace }: { timePlace?: number | undefined },
  values: readonly unknown[],
  now: Date | null,
): readonly unknown[] {
  return timePlace === undefined || values.length >= timePlace ? values : [...values, now];
}

/** A name for a statement that is prepared: another text has another name. */
export function nameText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function countParameters(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, place]) => Number(place)));
}

import { createHash } from "node:crypto";

/** A statement of SQL, whose parameters are `$1`, `$2` and so on, and the rows that it gives. */
export type Statement<Row extends object = object> = {
  /** Prepared once on each connection under its name. Not prepared where it is empty. */
  name: string;
  text: string;
  /** The place of the parameter that {@link NOW} made, the last one; none where it is left out. */
  timePlace?: number;
  /** Those who ask the same at once share one run. The rows are only to be read. */
  isShared?: boolean;
  /** Timestamps come as ISO 8601 text instead of Dates: for rows that are only passed on. */
  instants?: "text";
  /** For the compiler alone. */
  row?: Row;
};

/** A statement with its values. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** Runs one statement and gives its rows. The value of {@link NOW} may follow the others. */
export type Run = <Row extends object>(
  statement: Statement<Row>,
  values: readonly unknown[],
) => Promise<Row[]>;

/** The time in a statement: when its transaction began, by PostgreSQL's clock, or what a test sets. */
export const NOW = ":now";

/** The same as it is when the row is reached, for instance after waiting for its lock. */
export const CLOCK = ":clock";

/** Every statement of the program as {@link sql} was given it, for the test that has PostgreSQL check them. */
export const STATEMENTS: { source: readonly string[]; statement: Statement }[] = [];

/**
 * A statement for good: written outside of functions, prepared when it is first run.
 *
 * @param fragments SQL that the program holds, such as a list of columns. Never anything that a caller sent.
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

/** A statement whose text depends on what is asked. Only what is asked often should have a name. */
export function buildStatement<Row extends object = object>(name: string, text: string): Statement<Row> {
  if (!text.includes(NOW) && !text.includes(CLOCK)) return { name, text };
  const timePlace = countParameters(text) + 1;
  const [now, clock] = ["now", "clock_timestamp"].map(
    (time) => `COALESCE($${timePlace}::timestamptz, ${time}())`,
  );
  return { name, timePlace, text: text.replaceAll(NOW, now ?? "").replaceAll(CLOCK, clock ?? "") };
}

/** Lets those who ask the same at once share one run. */
export function share<Row extends object>(statement: Statement<Row>): Statement<Row> {
  return { ...statement, isShared: true };
}

/** The values of a statement with the time, where it takes one that is not among them. */
export function bindTime(
  { timePlace }: { timePlace?: number | undefined },
  values: readonly unknown[],
  now: Date | null,
): readonly unknown[] {
  return timePlace === undefined || values.length >= timePlace ? values : [...values, now];
}

function nameText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function countParameters(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, place]) => Number(place)));
}

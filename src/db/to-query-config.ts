import pg from "pg";
import { parseTimestamp, toIsoTimestamp } from "./instants.ts";
import { type Statement, bindTime } from "./sql.ts";
import { toArrayLiteral } from "./to-array-literal.ts";

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const DATES = buildTypeOverrides(parseTimestamp);
const TEXTS = buildTypeOverrides(toIsoTimestamp);

/**
 * Converts a statement for pg. Rows have pg's types, except that int8 is a bigint and instants are as asked
 * for.
 */
export function toQueryConfig(
  { name, text, timePlace, instants }: Statement,
  values: readonly unknown[],
): pg.QueryConfig {
  return {
    name,
    text,
    values: bindTime({ timePlace }, values, null).map(toParameter),
    types: instants === "text" ? TEXTS : DATES,
  };
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (toArrayLiteral(value) ?? value) : value;
}

function buildTypeOverrides(parseInstant: (text: string) => unknown): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, BigInt);
  types.setTypeParser(TIMESTAMPTZ, parseInstant);
  return types;
}

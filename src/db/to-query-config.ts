import pg from "pg";
import { parseTimestamp, toIsoTimestamp } from "./instants.ts";
import type { Statement } from "./statement.ts";

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const DATES = buildTypeOverrides(parseTimestamp);
const TEXTS = buildTypeOverrides(toIsoTimestamp);

/** A statement as pg takes it. Rows come as pg reads them, but for int8, which is a bigint, and instants. */
export function toQueryConfig(
  { name, text, instants }: Statement,
  values: readonly unknown[],
): pg.QueryConfig {
  return { name, text, values: [...values], types: instants === "text" ? TEXTS : DATES };
}

function buildTypeOverrides(parseInstant: (text: string) => unknown): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, BigInt);
  types.setTypeParser(TIMESTAMPTZ, parseInstant);
  return types;
}

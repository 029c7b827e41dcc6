import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Logger } from "pino";
import { PrismaClient } from "./generated/client.ts";

/** One pool of connections, spoken to through Prisma or, where every microsecond counts, by prepared statements. */
export type Database = {
  /** Not bound to any workspace: for auth, the command line and background work. */
  prisma: PrismaClient;
  read: Read;
  /** Where connections go from now on: the same database, on another port. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** Runs one prepared statement outside any transaction. */
export type Read = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/** A statement that is prepared once on each connection, under its name. */
export type Statement = { name: string; text: string };

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const MILLISECONDS_LENGTH = "2026-11-21 10:00:45.123+00".length;
// pg knows the type of each parser only by its number.
const parseAnyTimestamp = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

/** Opens the database at a PostgreSQL URL. Connects when first used. */
export function openDatabase(url: string, log: Logger, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-ops",
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const prisma = new PrismaClient({
    // Longer formats print the arguments of the call, which may be secrets.
    errorFormat: "minimal",
    adapter: new PrismaPg(pool, { statementNameGenerator: nameStatements() }),
  });
  return {
    prisma,
    read: async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      const result = await pool.query<Row>({ ...statement, values: [...values], types });
      return result.rows;
    },
    moveTo: (moved) => {
      pool.options.connectionString = moved;
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** As pg does it, but for int8, which is a bigint. */
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, BigInt);
types.setTypeParser(TIMESTAMPTZ, parseTimestamp);

/** V8 reads ISO 8601 several times faster than pg takes PostgreSQL's own form apart. */
function parseTimestamp(text: string): Date {
  if (!text.endsWith("+00") || text.length > MILLISECONDS_LENGTH) return parseAnyTimestamp(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** Prisma's own statements are few and repeat, but a list in one makes a new text for each length. */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= 500) return "";
    const name = `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

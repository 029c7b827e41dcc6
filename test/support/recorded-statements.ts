import pg from "pg";
import { type Statement, bindTime } from "../../src/db/sql.ts";
import type { Services } from "../../src/domain/kernel/services.ts";
import type { TestDatabase } from "./database.ts";

export type AskedStatement = { statement: Statement; values: readonly unknown[] };

/** A node of an executed plan, with PostgreSQL's names. */
export type ExecutedNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: ExecutedNode[];
};

/** Services that record the statements of their database, also in transactions. */
export function recordStatements(services: Services): { services: Services; asked: AskedStatement[] } {
  const asked: AskedStatement[] = [];
  const { database } = services;
  const recording: typeof database = {
    ...database,
    run: (statement, values) => {
      asked.push({ statement, values });
      return database.run(statement, values);
    },
    transaction: (work) =>
      database.transaction((begun) =>
        work({
          ...begun,
          run: (statement, values) => {
            asked.push({ statement, values });
            return begun.run(statement, values);
          },
        }),
      ),
  };
  return { services: { ...services, database: recording }, asked };
}

/**
 * Runs a statement as a prepared one and takes it back: with a plan for its values, or the generic one that
 * PostgreSQL may switch to.
 *
 * @returns all nodes of its plan, the root first.
 */
export async function explainAsked(
  { url }: Pick<TestDatabase, "url">,
  { statement, values }: AskedStatement,
  mode: "custom" | "generic",
): Promise<[root: ExecutedNode, ...ExecutedNode[]]> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  try {
    await session.query(`SET plan_cache_mode = force_${mode}_plan`);
    await session.query(`BEGIN; PREPARE asked AS ${statement.text}`);
    const given = bindTime(statement, values, null).map(toLiteral).join(", ");
    const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: ExecutedNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked ${given === "" ? "" : `(${given})`}`,
    );
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    if (plan === undefined) throw new Error("no plan");
    return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  } finally {
    await session.end();
  }
}

function flatten(node: ExecutedNode): ExecutedNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function toLiteral(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(toText).join(",")}}`);
  return pg.escapeLiteral(toText(value));
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

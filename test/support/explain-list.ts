import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { TestDatabase } from "./database.ts";

/** A node of an executed plan, with PostgreSQL's names. */
export type PlanNode = {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  "Relation Name"?: string;
  "Actual Loops": number;
  Plans?: PlanNode[];
};

/** The plan of a list, which must be read by one statement. */
export async function explainList(
  { database }: { database: Pick<TestDatabase, "query"> },
  ctx: Ctx,
  list: (listening: Ctx) => Promise<unknown>,
): Promise<PlanNode> {
  const asked: [string, readonly unknown[]][] = [];
  await list({
    ...ctx,
    get db(): never {
      throw new Error("a list is read by statements of its own");
    },
    read: (statement, values) => {
      asked.push([statement.text, values]);
      return ctx.read(statement, values);
    },
  });
  const [[text, values] = ["", []], ...others] = asked;
  if (others.length > 0) throw new Error("a list is read by one statement");
  const [row] = await database.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  );
  if (row === undefined) throw new Error("no plan");
  return row["QUERY PLAN"][0].Plan;
}

/** Number of blocks read. */
export function countBlocks(plan: PlanNode): number {
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

/** How often a table was accessed. */
export function countLookups(plan: PlanNode, table: string): number {
  const own = plan["Relation Name"] === table ? plan["Actual Loops"] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + countLookups(inner, table), own);
}

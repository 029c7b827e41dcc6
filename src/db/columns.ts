import { Prisma } from "./generated/client.ts";

/** A collection's table and the columns that make up its model. */
export type Table = {
  name: string;
  fields: readonly string[];
  /** The fields that may hold hundreds of kilobytes. They are stored as they are, so that their size can be asked. */
  large?: readonly string[];
};

/** Where a page ends early: a node holds several in memory, and writes each without a pause. */
const PAGE_BYTES = 4_194_304;

/** Fields that no list shows: whose row it is goes without saying, and a lease is its holder's own affair. */
const UNLISTED = [
  "workspaceId",
  "leaseTokenDigest",
  "leaseExpiresAt",
  "leaseSeconds",
  "settledDigest",
  "inputDeadlineAt",
  "nextDeadlineAt",
  "questionId",
  "requestedRobotId",
  "dispatchAttempts",
  "startCommandId",
  "assignedAt",
  "idleReports",
] as const;

/** A field that stays in the database when a page is read. */
export type UnlistedField = (typeof UNLISTED)[number];

/** The tables that are read as pages. */
export const TABLES = {
  agent: table("agent", Prisma.AgentScalarFieldEnum),
  agentCommand: table("agent_command", Prisma.AgentCommandScalarFieldEnum, ["params", "result", "error"]),
  evalResult: table("eval_result", Prisma.EvalResultScalarFieldEnum, ["input", "expected", "output"]),
  evalRun: table("eval_run", Prisma.EvalRunScalarFieldEnum),
  message: table("message", Prisma.MessageScalarFieldEnum, ["parts", "metadata"]),
  mission: table("mission", Prisma.MissionScalarFieldEnum),
  robot: table("robot", Prisma.RobotScalarFieldEnum),
  task: table("task", Prisma.TaskScalarFieldEnum, ["input", "output", "artifacts", "metadata", "error"]),
} as const;

/** A table's columns for a SELECT, each under its model's name: `t."created_at" AS "createdAt"`. */
export function selectList(alias: string, { fields }: Table): string {
  return fields.map((field) => `${alias}."${toColumnName(field)}" AS "${field}"`).join(", ");
}

/** The same for a list: without what no list shows. */
export function listedSelectList(alias: string, { fields, ...table }: Table): string {
  const unlisted = new Set<string>(UNLISTED);
  return selectList(alias, { ...table, fields: fields.filter((field) => !unlisted.has(field)) });
}

/**
 * The rows of a query, from the first on, until their large fields have more than so many bytes: the first row in
 * any case. Each carries how many there were as `found`.
 *
 * @param query of the table's rows, `order` the order in which it gives them, as after ORDER BY.
 */
export function cutBySize({ large = [] }: Table, { query, order }: { query: string; order: string }): string {
  const size = large.map((field) => `COALESCE(pg_column_size(q."${toColumnName(field)}"), 0)`).join(" + ");
  return `SELECT * FROM (
    SELECT q.*, count(*) OVER () AS found,
      sum(${size}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM (${query}) q
  ) sized WHERE bytes_before IS NULL OR bytes_before < ${PAGE_BYTES}`;
}

/** The column of a model's field. Every @map in schema.prisma is the field in snake case. */
export function toColumnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function table(name: string, fields: Record<string, string>, large: readonly string[] = []): Table {
  return { name, fields: Object.values(fields), large };
}

import { Prisma } from "./generated/client.ts";

/** A collection's table, and the columns of its model. */
export type Table = {
  name: string;
  fields: readonly string[];
  /** Fields that may hold many kilobytes. Stored uncompressed, so that their size can be read. */
  large?: readonly string[];
  /** Adds to the rows of a page, given as a query, the columns that no condition and no order needs. */
  complete?: (page: string) => string;
};

/** The size at which a page ends early: a node holds several in memory, and writes each in one go. */
export const PAGE_BYTES = 4_194_304;

/** Fields that lists leave out: the workspace is known, and a lease is private to its holder. */
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
  "allowedRobotIds",
  "dispatchAttempts",
  "startCommandId",
  "assignedAt",
  "idleReports",
  "isBroad",
  "size",
  "entities",
  "day",
  "workCount",
  "rootStatus",
  "rootStartedAt",
  "rootEndedAt",
  "sealedCredential",
] as const;

/** A field that is not read for pages. */
export type UnlistedField = (typeof UNLISTED)[number];

/** The tables with paged lists. */
export const TABLES = {
  agent: table("agent", Prisma.AgentScalarFieldEnum, ["capabilities"]),
  agentCommand: table("agent_command", Prisma.AgentCommandScalarFieldEnum, ["params", "result", "error"]),
  alertRule: table("alert_rule", Prisma.AlertRuleScalarFieldEnum),
  budget: table("budget", Prisma.BudgetScalarFieldEnum),
  approval: table("approval", Prisma.ApprovalScalarFieldEnum, ["request", "editedArguments", "askedBy"]),
  decision: table("decision", Prisma.DecisionScalarFieldEnum, ["request", "matched"]),
  evalResult: table("eval_result", Prisma.EvalResultScalarFieldEnum, ["input", "expected", "output"]),
  evalRun: table("eval_run", Prisma.EvalRunScalarFieldEnum, ["scoreSummaries", "gate", "error", "metadata"]),
  execution: table("execution", Prisma.ExecutionScalarFieldEnum, ["result", "error"]),
  gatewayEntity: table("gateway_entity", Prisma.GatewayEntityScalarFieldEnum, ["properties"]),
  message: table("message", Prisma.MessageScalarFieldEnum, ["parts", "metadata"]),
  mcpCall: table("mcp_call", Prisma.McpCallScalarFieldEnum),
  mcpServer: table("mcp_server", Prisma.McpServerScalarFieldEnum),
  mcpTool: table("mcp_tool", Prisma.McpToolScalarFieldEnum, ["definition", "approvedDefinition"]),
  mission: table("mission", Prisma.MissionScalarFieldEnum, ["selector", "error"]),
  modelPrice: table("model_price", Prisma.ModelPriceScalarFieldEnum),
  policy: table("policy", Prisma.PolicyScalarFieldEnum, ["subjects", "actions", "resources", "when"]),
  reservation: table("reservation", Prisma.ReservationScalarFieldEnum, ["lines"]),
  robot: table("robot", Prisma.RobotScalarFieldEnum, ["errors", "loads"]),
  trace: table("trace", Prisma.TraceScalarFieldEnum),
  task: table("task", Prisma.TaskScalarFieldEnum, ["input", "output", "artifacts", "metadata", "error"]),
} as const;

/** The table of stops, of which there are no pages. */
export const STOP_TABLE = table("stop", Prisma.StopScalarFieldEnum);

/** Builds a SELECT list with the model's names: `t."created_at" AS "createdAt"`. */
export function selectList(alias: string, { fields }: Table): string {
  return fields.map((field) => `${alias}."${toColumnName(field)}" AS "${field}"`).join(", ");
}

/** {@link selectList} without the fields that lists leave out. */
export function listedSelectList(alias: string, { fields, ...table }: Table): string {
  const unlisted = new Set<string>(UNLISTED);
  return selectList(alias, { ...table, fields: fields.filter((field) => !unlisted.has(field)) });
}

/** A range of a table's rows, in an order. In conditions, the table is `r`. */
export type RowRange = {
  where: readonly string[];
  order: string;
  limit: number;
  offset: number;
  /** Unique columns that the order's index has. */
  key: readonly string[];
};

/** The offset from which it is faster to find the rows' keys first. */
const LARGE_OFFSET = 2000;

/**
 * Builds the query for a range of a table's rows. After a large offset, finds their keys first: the rows
 * before them are skipped in the index, without reading the table.
 */
export function selectRange({ name, complete }: Table, range: RowRange): string {
  if (complete !== undefined) return complete(selectColumns("*", name, range));
  if (range.offset < LARGE_OFFSET) return selectColumns("*", name, range);
  const columns = range.key.join(", ");
  return `SELECT r.* FROM (${selectColumns(columns, name, range)}) k JOIN ${name} r USING (${columns})`;
}

function selectColumns(columns: string, name: string, { where, order, limit, offset }: RowRange): string {
  return [
    `SELECT ${columns} FROM ${name} r WHERE ${where.join(" AND ")} ORDER BY ${order}`,
    `LIMIT ${limit}`,
    ...(offset === 0 ? [] : [`OFFSET ${offset}`]),
  ].join(" ");
}

/**
 * Builds a query for the first rows of another query, until their large fields exceed the size limit; at
 * least one row. Each row has the number of rows in the query as `found`, and the rows' size as `bytes`.
 *
 * @param query selects the table's rows, `order` is their ORDER BY.
 */
export function cutBySize({ large = [] }: Table, { query, order }: { query: string; order: string }): string {
  const size = large.map((field) => `COALESCE(pg_column_size(q."${toColumnName(field)}"), 0)`).join(" + ");
  return `SELECT * FROM (
    SELECT q.*, count(*) OVER () AS found, LEAST(sum(${size}) OVER (), ${PAGE_BYTES}) AS bytes,
      sum(${size}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM (${query}) q
  ) sized WHERE bytes_before IS NULL OR bytes_before < ${PAGE_BYTES}`;
}

/** Returns the column of a field. Every @map in schema.prisma is the field in snake case. */
export function toColumnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function table(name: string, fields: Record<string, string>, large: readonly string[] = []): Table {
  return { name, fields: Object.values(fields), large };
}

import { Prisma } from "./generated/client.ts";

/** A collection's table and the columns that make up its model. */
export type Table = { name: string; fields: readonly string[] };

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
export type Unlisted = (typeof UNLISTED)[number];

/** The tables that are read as pages. */
export const TABLES = {
  agent: table("agent", Prisma.AgentScalarFieldEnum),
  agentCommand: table("agent_command", Prisma.AgentCommandScalarFieldEnum),
  evalResult: table("eval_result", Prisma.EvalResultScalarFieldEnum),
  evalRun: table("eval_run", Prisma.EvalRunScalarFieldEnum),
  message: table("message", Prisma.MessageScalarFieldEnum),
  mission: table("mission", Prisma.MissionScalarFieldEnum),
  robot: table("robot", Prisma.RobotScalarFieldEnum),
  task: table("task", Prisma.TaskScalarFieldEnum),
} as const;

/** A table's columns for a SELECT, each under its model's name: `t."created_at" AS "createdAt"`. */
export function selectList(alias: string, { fields }: Table): string {
  return fields.map((field) => `${alias}."${columnOf(field)}" AS "${field}"`).join(", ");
}

/** The same for a list: without what no list shows. */
export function listedSelectList(alias: string, { name, fields }: Table): string {
  const unlisted = new Set<string>(UNLISTED);
  return selectList(alias, { name, fields: fields.filter((field) => !unlisted.has(field)) });
}

/** The column of a model's field. Every @map in schema.prisma is the field in snake case. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function table(name: string, fields: Record<string, string>): Table {
  return { name, fields: Object.values(fields) };
}

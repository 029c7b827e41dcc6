import { examineDatabase, examinePooler, examineReplica } from "../../db/diagnosis/examine-database.ts";
import { type Finding, fail } from "../../db/diagnosis/finding.ts";
import { examineDisk } from "../diagnosis/examine-disk.ts";
import { examineKeys } from "../diagnosis/examine-keys.ts";
import { examineMail } from "../diagnosis/examine-mail.ts";
import { examinePublicUrl } from "../diagnosis/examine-public-url.ts";
import { type DatabaseCommand, withDatabase } from "../run-on-database.ts";
import type { CommandAnswer } from "../terminal.ts";

/** Examines what a server with this environment needs. Changes nothing. */
export async function runDoctor(command: DatabaseCommand): Promise<CommandAnswer> {
  const { config, signal } = command;
  const [disk, mail, publicUrl, database] = await Promise.all([
    examineDisk(config),
    examineMail(config, signal),
    examinePublicUrl(config, signal),
    examineOwnDatabase(command),
  ]);
  const findings = [...database, disk, ...examineKeys(config), mail, ...publicUrl];
  const warnings = findings.filter(({ status }) => status === "warn").length;
  const failures = findings.filter(({ status }) => status === "fail").length;
  return {
    json: { checks: findings, warnings, failures },
    lines: [
      ...findings.flatMap(toLines),
      `${findings.length} checks: ${warnings} warnings, ${failures} failures.`,
    ],
    ...(failures > 0 && { exitCode: 1 }),
  };
}

async function examineOwnDatabase(command: DatabaseCommand): Promise<Finding[]> {
  const { databaseUrl, directDatabaseUrl, replicaDatabaseUrl } = command.config;
  try {
    return [
      ...(await withDatabase(command, { creates: false }, examineDatabase)),
      ...(databaseUrl !== null && directDatabaseUrl !== null ? await examinePooler(databaseUrl) : []),
      ...(replicaDatabaseUrl === null ? [] : await examineReplica(replicaDatabaseUrl)),
    ];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [fail("database.connection", message, "Start the server once: it creates the database.")];
  }
}

function toLines({ check, status, found, advice }: Finding): string[] {
  const line = `${status.padEnd(4)}  ${check.padEnd(21)}  ${found}`;
  return advice === null ? [line] : [line, `${" ".repeat(29)}${advice}`];
}

import { createReadStream } from "node:fs";
import { decode } from "../../../compat/otlp/decode.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { toDomainError } from "../../domain/kernel/to-domain-error.ts";
import { importTelemetry } from "../../domain/traces/import/import-telemetry.ts";
import { SPAN_LIMITS } from "../../domain/traces/span-limits.ts";
import { type FileLine, createLineError, readLines } from "../file-lines.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type ImportOptions = { workspace: string; agent: string; file: string };

/** The longest line, in bytes: that of an export has a quarter. */
const LINE_BYTES = 16_777_216;

/** Stores the traces of a file, line by line. After an error, the lines before are stored. */
export async function runTracesImport(
  { services, terminal, signal }: CommandContext,
  { workspace, agent, file }: ImportOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const agentId = await findAgent(ctx, agent);
  const sum = { stored: 0, old: 0, rejected: 0, reasons: [] as string[] };
  for await (const line of readLines(file === "-" ? terminal.stdin : createReadStream(file), LINE_BYTES)) {
    signal.throwIfAborted();
    const { stored, old, rejected } = await importLine(ctx, line, agentId);
    sum.stored += stored;
    sum.old += old;
    sum.rejected += rejected.count;
    const room = SPAN_LIMITS.reasons - sum.reasons.length;
    sum.reasons.push(...rejected.reasons.slice(0, room).map((reason) => `line ${line.number}: ${reason}`));
  }
  return {
    json: { ...sum },
    lines: [
      ...sum.reasons,
      `${sum.stored} spans stored, ${sum.old} older than traces are kept, ${sum.rejected} rejected`,
    ],
  };
}

async function importLine(ctx: Ctx, { number, text }: FileLine, agentId: string) {
  try {
    return await importTelemetry(ctx, {
      agentId,
      source: {
        read: (options) =>
          Promise.resolve(decode({ bytes: Buffer.from(text), signal: "traces", encoding: "json" }, options)),
      },
    });
  } catch (error) {
    const problem = toDomainError(error);
    if (problem === null || problem.code === "unavailable") throw error;
    throw createLineError(number, null, `can't be read: ${problem.message}`);
  }
}

/** @throws {DomainError} validation_failed if there is none. */
async function findAgent(ctx: Ctx, handle: string): Promise<string> {
  const found = await ctx.db.agent.findFirst({ where: { handle }, select: { id: true } });
  if (found === null) throw createFieldError("agent", "is the handle of no agent of the workspace");
  return found.id;
}

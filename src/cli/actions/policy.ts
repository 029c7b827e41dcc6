import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type PolicyDiff, applyPolicies, diffPolicies } from "../../domain/policies/file/apply-policies.ts";
import { exportPolicies } from "../../domain/policies/file/export-policies.ts";
import { parsePolicyFile } from "../../domain/policies/file/policy-file.ts";
import type { PolicyFileProblem } from "../../domain/policies/file/policy-syntax.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { type PolicySimulation, simulatePolicies } from "../../domain/policies/simulate-policies.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer, Terminal } from "../terminal.ts";

type FileOptions = { workspace: string; file: string; prune?: boolean; simulate?: string };
type ApplyOptions = FileOptions & { expect?: string };

/** Prints all policies as a file. */
export async function runPolicyExport(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const { text: file, count } = await exportPolicies(await openWorkspace(services, workspace));
  return { json: { file, count }, lines: [file.trimEnd()] };
}

/** Prints what a file would change. */
export async function runPolicyDiff(
  { services, terminal }: CommandContext,
  { workspace, file, prune = false, simulate }: FileOptions,
): Promise<CommandAnswer> {
  const since = parseDays(simulate);
  const parsed = parsePolicyFile(await readInput(terminal, file));
  if ("problems" in parsed) return answerProblems(file, parsed.problems);
  const ctx = await openWorkspace(services, workspace);
  const diff = await diffPolicies(ctx, parsed.rules);
  const simulation = await simulateDiff(ctx, diff, { prune, since });
  const answer = answerDiff(diff, prune);
  const isSame = answer.lines.length === 1;
  return { ...addSimulation(answer, simulation), ...(!isSame && { exitCode: 1 }) };
}

/** Makes the policies those of a file. */
export async function runPolicyApply(
  { services, terminal }: CommandContext,
  { workspace, file, prune = false, simulate, expect: expected }: ApplyOptions,
): Promise<CommandAnswer> {
  const since = parseDays(simulate);
  const expect = parseGeneration(expected);
  const parsed = parsePolicyFile(await readInput(terminal, file));
  if ("problems" in parsed) return answerProblems(file, parsed.problems);
  const ctx = await openWorkspace(services, workspace);
  const planned = since === null ? null : await diffPolicies(ctx, parsed.rules);
  const simulation = planned && (await simulateDiff(ctx, planned, { prune, since }));
  return addSimulation(answerDiff(await applyPolicies(ctx, parsed, { prune, expect }), prune), simulation);
}

/** @throws {DomainError} validation_failed. */
function parseGeneration(expected: string | undefined): number | null {
  if (expected === undefined) return null;
  if (/^\d{1,10}$/.test(expected)) return Number(expected);
  throw createFieldError("expect", "must be a generation, as diff --json prints it");
}

/** Parses a number of days such as `7d`. @throws {DomainError} validation_failed. */
function parseDays(days: string | undefined): number | null {
  if (days === undefined) return null;
  const [, count = "0"] = /^(\d{1,3})d$/.exec(days) ?? [];
  if (Number(count) < 1 || Number(count) > MOST_DAYS) {
    throw createFieldError("simulate", `must be 1d to ${MOST_DAYS}d`);
  }
  return Number(count);
}

const MOST_DAYS = 365;
const DAY_MS = 86_400_000;

/** `since` is a number of days; null for no simulation. */
async function simulateDiff(
  ctx: Ctx,
  { added, changed, missing }: PolicyDiff,
  { prune, since }: { prune: boolean; since: number | null },
): Promise<PolicySimulation | null> {
  if (since === null) return null;
  const rules = [...added, ...changed.map(({ rule }) => rule)];
  const to = ctx.services.live.now();
  return simulatePolicies(ctx, {
    changes: { rules, removed: prune ? missing.map(({ name }) => name) : [] },
    from: new Date(to.getTime() - since * DAY_MS),
    to,
  });
}

/** The counts come first. */
function addSimulation(answer: CommandAnswer, simulation: PolicySimulation | null): CommandAnswer {
  if (simulation === null) return answer;
  const { considered, isComplete, unchanged, unknown, changes } = simulation;
  return {
    ...answer,
    json: { simulation, ...answer.json },
    lines: [
      `of ${isComplete ? "" : "the newest "}${considered} decisions: ${unchanged} unchanged, ${unknown} unknown`,
      ...changes.flatMap(({ before, after, count, groups }) => [
        `${before} -> ${after}: ${count}`,
        ...groups.map((group) => `  ${group.count} ${group.action} ${group.resourceId} by ${group.agentId}`),
      ]),
      ...answer.lines,
    ],
  };
}

async function readInput({ stdin }: Terminal, file: string): Promise<string> {
  return file === "-" ? text(stdin) : readFile(file, "utf8");
}

function answerProblems(file: string, problems: readonly PolicyFileProblem[]): CommandAnswer {
  const name = file === "-" ? "standard input" : file;
  return {
    json: { error: { code: "invalid_file", problems } },
    lines: problems.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`),
    exitCode: 2,
  };
}

/** One line a policy, and a last one with the counts. */
function answerDiff(
  { added, changed, missing, unchanged, generation }: PolicyDiff,
  prune: boolean,
): CommandAnswer {
  const removed = prune ? missing : [];
  const kept = prune ? 0 : missing.length;
  return {
    json: {
      added: added.map(({ name }) => name),
      changed: changed.map(({ rule, fields }) => ({ name: rule.name, fields })),
      removed: removed.map(({ name }) => name),
      unchanged,
      not_in_file: kept,
      generation,
    },
    lines: [
      ...added.map(({ name }) => `+ ${name}`),
      ...changed.map(({ rule, fields }) => `~ ${rule.name}: ${fields.join(", ")}`),
      ...removed.map(({ name }) => `- ${name}`),
      `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged, ${kept} not in the file`,
    ],
  };
}

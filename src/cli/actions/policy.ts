import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import {
  type PolicyDiff,
  applyPolicies,
  diffPolicies,
  exportPolicies,
} from "../../domain/policies/file/apply-policies.ts";
import {
  type PolicyFileProblem,
  formatPolicyFile,
  parsePolicyFile,
} from "../../domain/policies/file/policy-file.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer, Terminal } from "../terminal.ts";

type FileOptions = { workspace: string; file: string; prune?: boolean };

/** Prints all policies as a file. */
export async function runPolicyExport(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const rules = await exportPolicies(await openWorkspace(services, workspace));
  const file = formatPolicyFile(rules);
  return { json: { file, count: rules.length }, lines: [file.trimEnd()] };
}

/** Prints what a file would change. */
export async function runPolicyDiff(
  { services, terminal }: CommandContext,
  { workspace, file, prune = false }: FileOptions,
): Promise<CommandAnswer> {
  const parsed = parsePolicyFile(await readInput(terminal, file));
  if ("problems" in parsed) return answerProblems(file, parsed.problems);
  const diff = await diffPolicies(await openWorkspace(services, workspace), parsed.rules);
  const answer = answerDiff(diff, prune);
  return answer.lines.length > 1 ? { ...answer, exitCode: 1 } : answer;
}

/** Makes the policies those of a file. */
export async function runPolicyApply(
  { services, terminal }: CommandContext,
  { workspace, file, prune = false }: FileOptions,
): Promise<CommandAnswer> {
  const parsed = parsePolicyFile(await readInput(terminal, file));
  if ("problems" in parsed) return answerProblems(file, parsed.problems);
  const ctx = await openWorkspace(services, workspace);
  return answerDiff(await applyPolicies(ctx, parsed.rules, { prune }), prune);
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
function answerDiff({ added, changed, missing, unchanged }: PolicyDiff, prune: boolean): CommandAnswer {
  const removed = prune ? missing : [];
  const kept = prune ? 0 : missing.length;
  return {
    json: {
      added: added.map(({ name }) => name),
      changed: changed.map(({ rule, fields }) => ({ name: rule.name, fields })),
      removed: removed.map(({ name }) => name),
      unchanged,
      not_in_file: kept,
    },
    lines: [
      ...added.map(({ name }) => `+ ${name}`),
      ...changed.map(({ rule, fields }) => `~ ${rule.name}: ${fields.join(", ")}`),
      ...removed.map(({ name }) => `- ${name}`),
      `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged, ${kept} not in the file`,
    ],
  };
}

import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { createFairPool } from "../../kernel/fair-pool.ts";
import { createFieldsError } from "../../kernel/field-errors.ts";
import { requireRole, requireSudo } from "../../kernel/guard.ts";
import { parseInput } from "../../kernel/input.ts";
import { type PolicyDiff, applyPolicies, diffPolicies } from "./apply-policies.ts";
import type { ParsedPolicyFile } from "./policy-file.ts";
import type { PolicyFileProblem } from "./policy-syntax.ts";
import { readFileApart } from "./read-file-apart.ts";

/** What a file would change, or what is wrong with it. */
export type PolicyPreview = { diff: PolicyDiff | null; problems: PolicyFileProblem[] };

const shape = z.object({ text: z.string(), prune: z.boolean(), ifGeneration: z.int().nullish() });

/** Workspaces whose file this node reads. */
const READING = new Set<string>();
/** Few, since a hostile file keeps a thread busy until its deadline. */
const FILES = createFairPool({ atOnce: 2, mostBytes: { all: 33_554_432, workspace: 33_554_432 } });

/**
 * Says what a file would change.
 *
 * @throws {DomainError} forbidden below admin, and for agents; rate_limited while another file of the workspace is read;
 *   unavailable while too many files wait.
 */
export async function previewPolicies(ctx: Ctx, text: string): Promise<PolicyPreview> {
  requireRole(ctx, "admin");
  const file = await readOne(ctx, text);
  if ("problems" in file) return { diff: null, problems: file.problems };
  return { diff: await diffPolicies(ctx, file.rules), problems: [] };
}

/**
 * Makes the workspace's policies those of a file, as {@link applyPolicies} does.
 *
 * @throws {DomainError} as {@link applyPolicies}; validation_failed with what is wrong with the file; rate_limited while
 *   another file of the workspace is read; unavailable while too many files wait.
 */
export async function importPolicies(ctx: Ctx, input: z.input<typeof shape>): Promise<PolicyDiff> {
  requireSudo(ctx, "admin");
  const { text, prune, ifGeneration } = parseInput(shape, input);
  const file = await readOne(ctx, text);
  if (!("problems" in file)) return applyPolicies(ctx, file, { prune, expect: ifGeneration ?? null });
  throw createFieldsError(
    "validation_failed",
    file.problems.map(({ line, column, message }) => ({
      field: "text",
      detail: `line ${line}, column ${column}: ${message}`,
    })),
  );
}

async function readOne({ workspaceId }: Ctx, text: string): Promise<ParsedPolicyFile> {
  if (READING.has(workspaceId)) {
    throw new DomainError("rate_limited", "Another file is being read. Try again when that has ended.");
  }
  READING.add(workspaceId);
  try {
    return await FILES.run({ workspaceId, bytes: Buffer.byteLength(text) }, () => readFileApart(text));
  } finally {
    READING.delete(workspaceId);
  }
}

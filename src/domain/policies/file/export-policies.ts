import type { Ctx } from "../../kernel/context.ts";
import { requireScope } from "../../kernel/guard.ts";
import { countReadBytes } from "../../kernel/read-bytes.ts";
import { readPolicies } from "../read-policies.ts";
import { formatPolicies } from "./format-policies.ts";

/** All rules of a workspace as a file, and how many they are. */
export type ExportedPolicies = { text: string; count: number };

/** Writes all rules of the workspace as a file. @throws {DomainError} insufficient_scope without `gateway:read`. */
export async function exportPolicies(ctx: Ctx): Promise<ExportedPolicies> {
  requireScope(ctx, "gateway:read");
  const { policies } = await readPolicies(ctx.read, ctx.workspaceId);
  countReadBytes(
    ctx,
    policies.reduce((sum, { size }) => sum + size, 0),
  );
  const text = await ctx.services.policies.runInTurns(ctx.workspaceId, formatPolicies(policies));
  return { text, count: policies.length };
}

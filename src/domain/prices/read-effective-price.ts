import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findPrice } from "./find-price.ts";
import type { Price } from "./price.ts";

const shape = z.object({
  provider: text(LIMITS.providerLength).nullish(),
  model: text(LIMITS.modelNameLength),
  at: z.date().nullish(),
});

/**
 * Reads what a model's calls cost at a time, by default now.
 *
 * @returns null if nobody knows.
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed.
 */
export async function readEffectivePrice(ctx: Ctx, input: z.input<typeof shape>): Promise<Price | null> {
  requireScope(ctx, "traces:read");
  const { provider = null, model, at } = parseInput(shape, input);
  const { prices, live } = ctx.services;
  const listOwn = await prices.get(ctx.workspaceId, ctx.read);
  return findPrice(listOwn, { provider, model, at: at ?? ctx.now ?? live.now() });
}

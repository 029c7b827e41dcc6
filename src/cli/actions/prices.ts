import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { type PriceDiff, importModelPrices } from "../../domain/prices/file/import-model-prices.ts";
import { type PriceFile, parsePriceFile } from "../../domain/prices/file/price-file.ts";
import { ALWAYS, type NewModelPrice } from "../../domain/prices/model-price-input.ts";
import { formatRates } from "../../domain/prices/stored-price.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type ImportOptions = { workspace: string; file: string; provider?: string[]; dryRun?: boolean };

/** Sets the prices of a file. */
export async function runPricesImport(
  { services, terminal }: CommandContext,
  { workspace, file, provider: providers, dryRun = false }: ImportOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const text = await readText(file === "-" ? terminal.stdin : createReadStream(file));
  const { prices, skipped } = choose(parsePriceFile(text), providers);
  return answer(await importModelPrices(ctx, prices, { isTrial: dryRun }), skipped);
}

/** @throws {DomainError} validation_failed if it is too long. */
async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    // Streams give text or bytes.
    const buffer = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    bytes += buffer.length;
    if (bytes > LIMITS.priceFileBytes) {
      throw createFieldError("file", `must have at most ${LIMITS.priceFileBytes} bytes`);
    }
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function choose({ prices, skipped }: PriceFile, providers: string[] | undefined): PriceFile {
  if (providers === undefined) return { prices, skipped };
  const wanted = new Set(providers.map((name) => name.toLowerCase()));
  return {
    prices: prices.filter(({ provider }) => wanted.has(provider)),
    skipped: skipped.filter(({ provider }) => wanted.has(provider.toLowerCase())),
  };
}

/** One line a price, and a last one with the counts. */
function answer({ added, changed, unchanged }: PriceDiff, skipped: PriceFile["skipped"]): CommandAnswer {
  return {
    json: {
      added: added.map(toJson),
      changed: changed.map(({ before, after }) => ({ before: toJson(before), after: toJson(after) })),
      unchanged,
      skipped,
    },
    lines: [
      ...added.map((price) => `+ ${toText(price)}`),
      ...changed.flatMap(({ before, after }) => [`- ${toText(before)}`, `+ ${toText(after)}`]),
      ...skipped.map(({ provider, model, reason }) => `skipped ${provider} ${model}: ${reason}`),
      `${added.length} added, ${changed.length} changed, ${unchanged} unchanged, ${skipped.length} skipped`,
    ],
  };
}

function toJson({ provider, model, validFrom, prices, tiers }: NewModelPrice) {
  return {
    provider,
    model,
    valid_from: validFrom <= ALWAYS ? null : validFrom,
    prices: formatRates(prices),
    tiers: tiers.map((tier) => ({
      above_input_tokens: tier.aboveInputTokens,
      prices: formatRates(tier.prices),
    })),
  };
}

function toText({ provider, model, validFrom, prices, tiers }: NewModelPrice): string {
  const since = validFrom <= ALWAYS ? "" : ` since ${validFrom.toISOString().slice(0, 10)}`;
  const above = tiers.map((tier) => `, above ${tier.aboveInputTokens}: ${writeRates(tier.prices)}`).join("");
  return `${provider} ${model}${since}: ${writeRates(prices)}${above}`;
}

function writeRates(prices: NewModelPrice["prices"]): string {
  return Object.entries(formatRates(prices))
    .filter(([, text]) => typeof text === "string")
    .map(([kind, text]) => `${kind} ${text}`)
    .join(" ");
}

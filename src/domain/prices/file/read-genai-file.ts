import { z } from "zod";
import { toPrices } from "../shipped-prices.ts";
import type { FilePrice } from "./file-price.ts";

const rate = z.number().nonnegative();
const prices = z.record(
  z.string(),
  z.union([
    rate,
    z.object({ base: rate, tiers: z.array(z.object({ start: z.int().nonnegative(), price: rate })) }),
  ]),
);
const constraint = z.union([
  z
    .object({ start_date: z.iso.date() })
    .transform(({ start_date }) => ({ type: "start_date" as const, start_date })),
  z
    .object({ start_time: z.string(), end_time: z.string() })
    .transform((times) => ({ type: "time_of_date" as const, ...times })),
]);

/** The file of genai-prices. @see https://github.com/pydantic/genai-prices/tree/main/prices */
export const genaiFile = z.array(
  z.object({
    id: z.string(),
    models: z.array(
      z.object({
        id: z.string(),
        match: z.unknown(),
        prices: z.union([
          z.array(
            z
              .object({ constraint: constraint.optional(), prices })
              .transform(({ constraint: when, prices: rates }) => ({
                prices: rates,
                ...(when !== undefined && { constraint: when }),
              })),
          ),
          prices,
        ]),
      }),
    ),
  }),
);

/** Lists the prices of all models by each of their names. */
export function readGenaiFile(providers: z.output<typeof genaiFile>): FilePrice[] {
  return providers.flatMap(({ id: provider, models }) =>
    models.flatMap((model): FilePrice[] => {
      const prices = toPrices(provider, model);
      if (prices.length === 0) return [{ provider, model: model.id, price: "has no price for tokens" }];
      const { names, isWhole } = listNames(model.id, model.match);
      const found = names.flatMap((name) => prices.map((price) => ({ provider, model: name, price })));
      return isWhole ? found : [...found, { provider, model: model.id, price: "has more names" }];
    }),
  );
}

/** Other rules than names and beginnings are left out: then it is not whole. */
function listNames(id: string, match: unknown): { names: string[]; isWhole: boolean } {
  const [names, rules] = [[id], [match]];
  let isWhole = true;
  for (let rule = rules.pop(); rule !== undefined; rule = rules.pop()) {
    const { data } = RULE.safeParse(rule);
    if (data === undefined) isWhole = false;
    else if ("or" in data) rules.push(...data.or);
    else names.push("equals" in data ? data.equals : `${data.starts_with}*`);
  }
  return { names: [...new Set(names)], isWhole };
}

const RULE = z.union([
  z.strictObject({ or: z.array(z.unknown()) }),
  z.strictObject({ equals: z.string() }),
  z.strictObject({ starts_with: z.string() }),
]);

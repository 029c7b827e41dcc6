import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import { OWN_PRICE } from "./own-price.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of all GraphQL fields of prices with another workspace's ids. */
export function priceCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("ModelPrice", ids.modelPrice);
  return {
    modelPrices: [
      { args: {}, outcome: "own" },
      { args: { first: 20, offset: 0, filter: { provider: word } }, outcome: "own" },
    ],
    effectivePrice: [{ args: { provider: word, model: word }, outcome: null }],
    setModelPrice: [
      { args: { input: { ...OWN_PRICE, provider: word, model: word } }, outcome: "own", forPeople: true },
    ],
    repriceUsage: [
      {
        args: { input: { from: "2026-01-01T00:00:00Z", to: "2099-01-01T00:00:00Z" } },
        ...{ outcome: "own", forPeople: true },
      },
    ],
    deleteModelPrice: [{ args: { input: { id } }, outcome: "NOT_FOUND", forPeople: true }],
  };
}

/** A selection of each field of prices that agents may use, and the scope it requires. */
export const PRICE_USES: Record<string, { scope: Scope | null; selection: string }[]> = {
  modelPrices: [{ scope: "traces:read", selection: "modelPrices { totalCount }" }],
  effectivePrice: [{ scope: "traces:read", selection: 'effectivePrice(model: "x") { priceId }' }],
};

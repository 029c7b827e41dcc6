import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { Column } from "../../../ui/table/row.tsx";
import { DeletePrice } from "./delete-price.tsx";
import type { ShownPrice } from "./prices-query.ts";

const COLUMNS: readonly Column<ShownPrice>[] = [
  { header: "Model", cell: ({ model }) => toVisibleText(model) },
  { header: "Provider", cell: ({ provider }) => (provider === null ? "any" : toVisibleText(provider)) },
  {
    header: "From",
    cell: ({ validFrom }) => (validFrom === null ? "always" : `${validFrom.slice(0, 10)} UTC`),
  },
  { header: "Input", cell: ({ prices, tiers }) => writeInput(prices.input, tiers.length), isEnd: true },
  { header: "Cached input", cell: ({ prices }) => writeRate(prices.cacheRead ?? prices.input), isEnd: true },
  { header: "Output", cell: ({ prices }) => writeRate(prices.output), isEnd: true },
];

const WITH_DELETE: readonly Column<ShownPrice>[] = [
  ...COLUMNS,
  { header: "Delete", cell: (price) => <DeletePrice price={price} />, isEnd: true },
];

/** The columns of prices, for those who may delete them with a button. */
export function listPriceColumns(mayDelete: boolean): readonly Column<ShownPrice>[] {
  return mayDelete ? WITH_DELETE : COLUMNS;
}

/** Larger prompts may have another price. */
function writeInput(rate: string | null, tiers: number): string {
  return tiers === 0 ? writeRate(rate) : `from ${writeRate(rate)}`;
}

function writeRate(rate: string | null): string {
  return rate === null ? "–" : `$${rate}`;
}

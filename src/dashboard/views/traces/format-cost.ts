const DOLLARS = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const SMALL = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 3,
});

/** Formats dollars, small amounts in three digits: "$12.50", "$0.00075". */
export function formatCost(usd: string): string {
  const amount = Number(usd);
  return amount === 0 || amount >= 1 ? DOLLARS.format(amount) : SMALL.format(amount);
}

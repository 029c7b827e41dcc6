/** Formats dollars, small amounts in three digits: "$12.50", "$0.00075". */
export function formatCost(usd: string | number): string {
  const amount = Number(usd);
  const isSmall = amount > 0 && amount < 1;
  return amount.toLocaleString("en", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: isSmall ? 2 - Math.floor(Math.log10(amount)) : 2,
  });
}

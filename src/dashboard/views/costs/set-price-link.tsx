import { Link } from "wouter";
import { useIsAtLeast } from "../../data/viewer.tsx";
import type { CostSum } from "./costs-query.ts";

/** Leads admins to the form for the price of a model whose calls have none. */
export function SetPriceLink({ of: { model, unpricedCalls } }: { of: CostSum }) {
  const maySet = useIsAtLeast("ADMIN");
  if (!maySet || model === null || model === "" || unpricedCalls === 0) return null;
  return <Link href={`/costs/prices?${new URLSearchParams({ model })}`}>Set price</Link>;
}

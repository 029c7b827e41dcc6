import type { TradeJob } from "./trade.ts";

/** Slots that stand for nothing that a job would have to name first. */
const FREE = new Set("choice count days few minutes percent progress test units weekday".split(" "));

/** Whether a text about a job names nothing, such as an order or a customer, that its title and brief do not. */
export function fitsJob(text: string, { title, brief }: Pick<TradeJob, "title" | "brief">): boolean {
  const named = new Set(slotsOf(`${title} ${brief}`));
  return slotsOf(text).every((slot) => FREE.has(slot) || named.has(slot));
}

function slotsOf(text: string): string[] {
  return [...text.matchAll(/\{([a-z]+)\d?\}/g)].flatMap(([, slot]) => slot ?? []);
}

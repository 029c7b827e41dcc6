/** What a sender's SDK says that a call used. `cached` is a part of `input`. */
export type Call = { model: string; input: number; cached: number; output: number };

/** Costs are dollars with 12 decimal places. */
export type Sum = { calls: number; input: number; cached: number; output: number; cost: string };

/** Pico-dollars a token, as OpenAI lists them. @see https://platform.openai.com/docs/pricing */
const RATES: Readonly<Record<string, { input: bigint; cached: bigint; output: bigint }>> = {
  "gpt-4.1-mini": { input: 400_000n, cached: 100_000n, output: 1_600_000n },
  "text-embedding-3-small": { input: 20_000n, cached: 20_000n, output: 0n },
};

export function sumCalls(calls: readonly Call[]): Sum {
  const sum = { calls: calls.length, input: 0, cached: 0, output: 0 };
  let cost = 0n;
  for (const { model, input, cached, output } of calls) {
    const rates = RATES[model];
    if (rates === undefined) throw new Error(`${model} has no price here`);
    sum.input += input;
    sum.cached += cached;
    sum.output += output;
    cost +=
      BigInt(input - cached) * rates.input + BigInt(cached) * rates.cached + BigInt(output) * rates.output;
  }
  return { ...sum, cost: formatPico(cost) };
}

/** Adds dollars with 12 decimal places. */
export function addDollars(amounts: readonly string[]): string {
  return formatPico(amounts.reduce((sum, dollars) => sum + BigInt(dollars.replace(".", "")), 0n));
}

function formatPico(pico: bigint): string {
  return pico
    .toString()
    .padStart(13, "0")
    .replace(/(?=\d{12}$)/, ".");
}

import fc from "fast-check";

type Amounts = { usd: bigint | null; tokens: bigint | null };

const amount = fc.bigInt({ min: 0n, max: 3_000_000n });
const said = fc.record({ usd: fc.option(amount), tokens: fc.option(amount) });

/** What happens to budgets: by whom, for which of the earlier reservations or charges, in which minute. */
export const budgetAct = fc.record({
  kind: fc.constantFrom("reserve", "settle", "release", "expire", "charge", "charge", "takeBack", "count"),
  agent: fc.nat(1),
  amounts: said,
  reserved: fc.record({ usd: amount, tokens: amount }),
  reservation: fc.option(fc.nat()),
  pick: fc.nat(),
  minute: fc.nat(2),
  isSecond: fc.boolean(),
});

export type BudgetAct = typeof budgetAct extends fc.Arbitrary<infer Value> ? Value : never;

export type ModelCharge = { agent: number; minute: number; reservation: number | null; amounts: Amounts };

type ModelReservation = {
  agent: number;
  minute: number;
  reserved: { usd: bigint; tokens: bigint };
  status: "held" | "settled" | "released" | "expired";
  said: Amounts | null;
  charges: ModelCharge[];
};

/** Sums by unit, and agent or minute: what is used, reserved, and of it reported. */
export type ModelSums = Record<string, { used: bigint; reserved: bigint; reported: bigint }>;

/** Budgets of dollars by the minute and of tokens by the agent, as slowly as they can be reckoned. */
export function createChargeModel() {
  const reservations: ModelReservation[] = [];
  const unreserved: ModelCharge[] = [];

  return {
    reserve: ({ agent, minute, reserved }: BudgetAct) => {
      reservations.push({ agent, minute, reserved, status: "held", said: null, charges: [] });
    },
    settle: (id: number, amounts: Amounts) => {
      const one = reservations[id];
      if (one === undefined || one.status === "released" || one.said !== null) return;
      Object.assign(one, { status: "settled", said: amounts });
    },
    end: (id: number, status: "released" | "expired") => {
      const one = reservations[id];
      if (one?.status === "held") one.status = status;
    },
    count: (charge: ModelCharge) => {
      const one = reservations[charge.reservation ?? -1];
      if (one === undefined || one.agent !== charge.agent || one.status === "released") {
        unreserved.push(charge);
        return;
      }
      one.status = "settled";
      one.charges.push(charge);
    },
    sum: (): ModelSums => sumUp(reservations, unreserved),
  };
}

function sumUp(reservations: readonly ModelReservation[], unreserved: readonly ModelCharge[]): ModelSums {
  const sums: ModelSums = {};
  const get = (unit: "usd" | "tokens", { agent, minute }: Pick<ModelCharge, "agent" | "minute">) =>
    (sums[unit === "usd" ? `usd ${minute}` : `tokens ${agent}`] ??= { used: 0n, reserved: 0n, reported: 0n });
  for (const unit of ["usd", "tokens"] as const) {
    for (const one of reservations) {
      const sum = get(unit, one);
      if (one.status === "held") sum.reserved += one.reserved[unit];
      else sum.used += one.status === "released" ? 0n : findUse(one, unit);
    }
    for (const charge of unreserved) get(unit, charge).reported += charge.amounts[unit] ?? 0n;
  }
  for (const sum of Object.values(sums)) {
    if (sum.reported < 0n) sum.reported = 0n;
    sum.used += sum.reported;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, { used, reserved }]) => used + reserved > 0n));
}

function findUse({ said: own, charges, reserved }: ModelReservation, unit: "usd" | "tokens"): bigint {
  const known = charges.flatMap(({ amounts }) => amounts[unit] ?? []);
  const reported = known.reduce((sum, more) => sum + more, 0n);
  return own?.[unit] ?? (known.length === 0 ? reserved[unit] : reported < 0n ? 0n : reported);
}

import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { dateTime, omitUndefined, toWireEnum, uuid } from "../shared/shapes.ts";

export const budgetUnit = z.enum(["usd", "tokens", "calls"]);

/** An amount in an answer. */
export const amountText = z.string().openapi({
  description: "Dollars as a decimal, tokens and calls as a whole number.",
  example: "12.5",
});

/** A budget without room. */
export const exceededBudget = z
  .strictObject({
    id: uuid,
    name: z.string(),
    unit: budgetUnit,
    limit: amountText,
    used: amountText,
    reserved: amountText,
  })
  .openapi("ExceededBudget");

export const ExceededBudgetFields = graphql(`
  fragment ExceededBudgetFields on ExceededBudget {
    id: uuid
    name
    unit
    limit
    used
    reserved
  }
`);

/** Converts a budget without room to the REST shape. */
export function exceededBudgetJson({ unit, ...fields }: ResultOf<typeof ExceededBudgetFields>) {
  return { ...fields, unit: toWireEnum(unit) };
}

const DOLLARS = /^\d{1,7}(?:\.\d{1,6})?$/;

/** Amounts in a body. */
export const amounts = z
  .strictObject({
    usd: z
      .string()
      .regex(DOLLARS, 'must be dollars as text such as "0.42", with at most 6 decimal places')
      .optional()
      .openapi({ description: "At most 1,000,000.", example: "0.42" }),
    tokens: z.int().min(0).max(LIMITS.reservedTokens).optional(),
  })
  .openapi("Amounts", { description: "Dollars are text, so that nothing is rounded." });

export const reservation = z
  .strictObject({
    id: uuid,
    agent_id: uuid,
    status: z.enum(["held", "settled", "released", "expired"]),
    assumed: z.boolean().openapi({
      description: "Whether it expired and counts as used, although nobody knows what was.",
    }),
    amounts: z.strictObject({ usd: amountText.nullable(), tokens: z.int().nullable() }).nullable().openapi({
      description:
        "What was used: what its agent said, else what telemetry says. Null unless it was settled.",
    }),
    budgets: z
      .array(
        z.strictObject({
          id: uuid,
          name: z.string(),
          unit: budgetUnit,
          limit: amountText,
          used: amountText,
          reserved: amountText,
          window_ends_at: dateTime.nullable(),
        }),
      )
      .openapi({ description: "The budgets that it is for, with the sums of the period that admitted it." }),
    decision_id: uuid.nullable(),
    expires_at: dateTime,
    ended_at: dateTime.nullable(),
    created_at: dateTime,
  })
  .openapi("BudgetReservation");

export const ReservationFields = graphql(`
  fragment ReservationFields on BudgetReservation {
    id: uuid
    agent_id: agentUuid
    status
    assumed
    amounts {
      usd
      tokens
    }
    budgets {
      id: uuid
      name
      unit
      limit
      used
      reserved
      window_ends_at: windowEndsAt
    }
    decision_id: decisionUuid
    expires_at: expiresAt
    ended_at: endedAt
    created_at: createdAt
  }
`);

/** Converts a reservation to the REST shape. */
export function reservationJson({
  status,
  amounts: used,
  budgets,
  ...rest
}: ResultOf<typeof ReservationFields>) {
  return {
    ...rest,
    status: toWireEnum(status),
    amounts: used && { usd: used.usd, tokens: used.tokens === null ? null : Number(used.tokens) },
    budgets: budgets.map(({ unit, ...budget }) => ({ ...budget, unit: toWireEnum(unit) })),
  };
}

/** Converts a body's amounts to GraphQL's, in which all are text. */
export function toAmountsInput(given: z.output<typeof amounts> | undefined) {
  if (given === undefined) return {};
  const { usd, tokens } = given;
  return { amounts: omitUndefined({ usd, tokens: tokens === undefined ? undefined : `${tokens}` }) };
}

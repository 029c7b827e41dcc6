import { ReservationStatus } from "../../db/generated/enums.ts";
import { type Amounts, formatAmount } from "../../domain/budgets/budget-amount.ts";
import { listReservations } from "../../domain/budgets/list-reservations.ts";
import { readReservation } from "../../domain/budgets/read-reservation.ts";
import { releaseAssumed } from "../../domain/budgets/release-assumed.ts";
import { releaseReservation } from "../../domain/budgets/release-reservation.ts";
import { type BudgetState, type ReservationView, getKnownUse } from "../../domain/budgets/reservation.ts";
import { reserveBudget } from "../../domain/budgets/reserve-budget.ts";
import { settleReservation } from "../../domain/budgets/settle-reservation.ts";
import type { PageRow } from "../../domain/kernel/page.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromOptionalGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { BudgetUnitEnum } from "./budget.ts";

const ReservationStatusEnum = addEnum(
  "ReservationStatus",
  ReservationStatus,
  "Whether a reservation holds what it is for, or how it ended.",
);

const State = builder.objectRef<BudgetState>("ReservedBudget").implement({
  description: "A budget that a reservation is for, with the sums of the period that admitted it.",
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => toGlobalId("Budget", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name"),
    unit: t.expose("unit", { type: BudgetUnitEnum }),
    subject: t.exposeString("subject", {
      description: "The agent's uuid or the label's value; empty if the budget has one sum.",
    }),
    amount: t.string({
      description: "What was reserved of it.",
      resolve: ({ unit, amount }) => formatAmount(unit, amount),
    }),
    limit: t.string({ resolve: ({ unit, limit }) => formatAmount(unit, limit) }),
    used: t.string({ resolve: ({ unit, used }) => formatAmount(unit, used) }),
    reserved: t.string({ resolve: ({ unit, reserved }) => formatAmount(unit, reserved) }),
    windowEndsAt: t.expose("windowEndsAt", { type: "DateTime", nullable: true }),
  }),
});

const AmountsType = builder.objectRef<Amounts>("Amounts").implement({
  description: "What was used. Null where it was not said.",
  fields: (t) => ({
    usd: t.string({ nullable: true, resolve: ({ usd }) => (usd === null ? null : formatAmount("usd", usd)) }),
    tokens: t.string({ nullable: true, resolve: ({ tokens }) => (tokens === null ? null : `${tokens}`) }),
  }),
});

export const Reservation = builder
  .objectRef<ReservationView | PageRow<ReservationView>>("BudgetReservation")
  .implement({
    description: "What an agent may use of all budgets that apply to it.",
    fields: (t) => ({
      uuid: t.expose("id", { type: "UUID" }),
      agentUuid: t.expose("agentId", { type: "UUID" }),
      agent: t.field({
        type: AgentNameType,
        nullable: true,
        description: "Null for callers who may not read agents.",
        resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
      }),
      status: t.expose("status", { type: ReservationStatusEnum }),
      assumed: t.exposeBoolean("assumed", {
        description: "Whether it expired and counts as used, although nobody knows what was.",
      }),
      amounts: t.field({
        type: AmountsType,
        nullable: true,
        description:
          "What was used: what its agent said, else what telemetry says. Null unless it was settled.",
        resolve: getKnownUse,
      }),
      budgets: t.expose("budgets", {
        type: [State],
        description: "Without those that were deleted.",
      }),
      decisionUuid: t.expose("decisionId", { type: "UUID", nullable: true }),
      executionUuid: t.expose("executionId", { type: "UUID", nullable: true }),
      expiresAt: t.expose("expiresAt", { type: "DateTime" }),
      endedAt: t.expose("endedAt", { type: "DateTime", nullable: true }),
      createdAt: t.expose("createdAt", { type: "DateTime" }),
    }),
  });

const ReservationFilter = builder.inputType("ReservationFilter", {
  fields: (t) => ({
    status: t.field({ type: ReservationStatusEnum }),
    assumed: t.boolean(),
    agentId: t.id({ description: "Only those of this agent." }),
    budgetId: t.id({
      description: "Only those that hold something of this budget, or for which it was assumed.",
    }),
  }),
});

builder.queryFields((t) => ({
  reservation: t.field({
    type: Reservation,
    description: "A reservation of the calling agent. Needs `gateway:check`.",
    args: { uuid: t.arg({ type: "UUID", required: true }) },
    resolve: (_root, { uuid }, ctx) => readReservation(ctx, { id: uuid }),
  }),
  reservations: t.connection({
    type: Reservation,
    description: "Reservations, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: ReservationFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      const budgetId = fromOptionalGlobalId("budgetId", "Budget", filter?.budgetId);
      return toConnection(await listReservations(ctx, page, { ...filter, agentId, budgetId }));
    },
  }),
}));

export const AmountsInput = builder.inputType("AmountsInput", {
  fields: (t) => ({
    usd: t.string({ description: "Dollars as `0.42`: at most 1,000,000, and six decimal places." }),
    tokens: t.string({ description: "A whole number, at most 1,000,000,000,000." }),
  }),
});

builder.relayMutationField(
  "reserveBudget",
  {
    inputFields: (t) => ({
      amounts: t.field({
        type: AmountsInput,
        description: "What is about to be used. Each budget estimates what is not said.",
      }),
      expiresInSeconds: t.int({ description: "10 to 86,400. Default: 600." }),
      decisionUuid: t.field({ type: "UUID", description: "The decision of the gateway that it is for." }),
    }),
  },
  {
    description:
      "Reserves of all budgets that apply to the calling agent, or of none. Needs `gateway:check`.",
    resolve: (_root, { input: { amounts, expiresInSeconds, decisionUuid } }, ctx) =>
      reserveBudget(ctx, omitNulls({ amounts, expiresInSeconds, decisionId: decisionUuid })),
  },
  {
    outputFields: (t) => ({
      reservation: t.field({ type: Reservation, resolve: ({ reservation }) => reservation }),
      asks: t.boolean({
        description: "Whether a threshold says that a person is to be asked first.",
        resolve: ({ asks }) => asks,
      }),
    }),
  },
);

builder.relayMutationField(
  "settleReservation",
  {
    inputFields: (t) => ({
      uuid: t.field({ type: "UUID", required: true }),
      amounts: t.field({
        type: AmountsInput,
        description: "What was used, also if it is more. What is not said counts as it was reserved.",
      }),
    }),
  },
  {
    description:
      "Says what the calling agent used of its reservation, also if that has expired. Needs `gateway:check`.",
    resolve: async (_root, { input: { uuid, amounts } }, ctx) => ({
      reservation: await settleReservation(ctx, { id: uuid, ...omitNulls({ amounts }) }),
    }),
  },
  {
    outputFields: (t) => ({
      reservation: t.field({ type: Reservation, resolve: ({ reservation }) => reservation }),
    }),
  },
);

builder.relayMutationField(
  "releaseReservation",
  { inputFields: (t) => ({ uuid: t.field({ type: "UUID", required: true }) }) },
  {
    description: "Gives back what the calling agent reserved and did not use. Needs `gateway:check`.",
    resolve: async (_root, { input: { uuid } }, ctx) => ({
      reservation: await releaseReservation(ctx, { id: uuid }),
    }),
  },
  {
    outputFields: (t) => ({
      reservation: t.field({ type: Reservation, resolve: ({ reservation }) => reservation }),
    }),
  },
);

builder.relayMutationField(
  "releaseAssumed",
  { inputFields: (t) => ({ uuid: t.field({ type: "UUID", required: true }) }) },
  {
    description: "Gives back what was charged when a reservation expired. For operators.",
    resolve: async (_root, { input: { uuid } }, ctx) => ({
      reservation: await releaseAssumed(ctx, { id: uuid }),
    }),
  },
  {
    outputFields: (t) => ({
      reservation: t.field({ type: Reservation, resolve: ({ reservation }) => reservation }),
    }),
  },
);

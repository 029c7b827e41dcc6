import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { type Steps, createTurns } from "../../kernel/turns.ts";
import type { ListPrices } from "../../prices/own-prices.ts";
import { parsePico } from "../../prices/pico-dollars.ts";
import { READ_CALLS, toUsageCall } from "../../usage/call-statements.ts";
import { type CallChange, type UsageCall, toCallName } from "../../usage/usage-call.ts";
import { toTokenCounts } from "../correct-costs.ts";
import { type PricedCall, type SpanCost, computeSpanCost } from "../span-cost.ts";
import { TOKEN_COLUMNS } from "../span-columns.ts";
import type { StoredUsage } from "../span-statements.ts";
import type { CallName } from "./list-calls.ts";

/** A call whose cost changes, with its new price. */
export type NewCost = CallChange & { before: UsageCall; priceId: string | null };

/** Workspaces take turns: a model's price that was never looked up takes long to find. */
const { run: takeTurn } = createTurns();

/** Finds what calls of one sender and signal cost at the prices as they are now. @returns those that change. */
export async function findNewCosts(ctx: Ctx, names: readonly CallName[]): Promise<NewCost[]> {
  const [first] = names;
  if (first === undefined) return [];
  const keys = [names.map(({ traceId }) => traceId), names.map(({ callKey }) => callKey)];
  const rows = await ctx.read(READ_CALLS, [ctx.workspaceId, first.senderId, first.signal, ...keys, []]);
  const spans = first.signal === "span" ? await ctx.read(SPANS, [ctx.workspaceId, ...keys]) : [];
  const prices = await ctx.services.prices.get(ctx.workspaceId, ctx.read);
  const said = new Map(spans.map((span) => [toCallName({ ...span, callKey: span.spanId }), span]));
  function* price(): Steps<NewCost[]> {
    const changes: NewCost[] = [];
    for (const before of rows.map(toUsageCall)) {
      const { costUsd, costSource, priceId } = computeCost(prices, before, said.get(toCallName(before)));
      const costPico = costUsd === null ? null : parsePico(costUsd);
      if (costPico !== null && costPico !== before.costPico && before.costSource !== "sent") {
        changes.push({ before, after: { ...before, costPico, costSource: costSource ?? "none" }, priceId });
      }
      yield;
    }
    return changes;
  }
  return takeTurn(ctx.workspaceId, price());
}

function computeCost(prices: ListPrices, call: UsageCall, span: PricedSpan | undefined): SpanCost {
  if (span !== undefined) {
    const { provider, model, startedAtUs } = span;
    return computeSpanCost(prices, { provider, model, startedAtUs, tokens: toTokenCounts(span.tokens) });
  }
  const costs = LOG_PROVIDERS.map((provider) =>
    computeSpanCost(prices, { ...toLoggedCall(call), model: call.model, provider }),
  );
  return (
    costs.find(({ costUsd }) => costUsd !== null) ?? { costUsd: null, costSource: "none", priceId: null }
  );
}

/** Logs are not kept, but for what is charged: their providers are those of the coding agents, or none. */
const LOG_PROVIDERS = ["openai", "anthropic", null];

function toLoggedCall(call: UsageCall): Pick<PricedCall, "startedAtUs" | "tokens"> {
  const { inputTokens: input, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = call;
  return {
    startedAtUs: call.chargedAt.getTime() * 1000,
    tokens: { input, cacheRead, cacheWrite, cacheWrite1h: null, output: call.outputTokens, reasoning: null },
  };
}

type PricedSpan = Pick<StoredUsage, "traceId" | "spanId" | "provider" | "model" | "startedAtUs" | "tokens">;

const TOKENS = TOKEN_COLUMNS.map(([, name]) => `s.${name}`).join(", ");

/** The limit makes PostgreSQL look up each span by its key, however many there are. */
const SPANS = sql<PricedSpan>`
SELECT g.trace_id AS "traceId", g.span_id AS "spanId", s.provider, s.model,
  (extract(epoch FROM s.started_at) * 1000000)::float8 AS "startedAtUs", s.tokens
FROM unnest($2::uuid[], $3::text[]) g (trace_id, span_id)
JOIN trace t ON t.workspace_id = $1::uuid AND t.id = g.trace_id
CROSS JOIN LATERAL (
  SELECT s.provider, s.model, s.started_at, json_build_array(${TOKENS}) AS tokens FROM span s
  WHERE s.workspace_id = $1::uuid AND s.day = t.day AND s.trace_id = g.trace_id
    AND s.span_id = decode(g.span_id, 'hex') LIMIT 1
) s`;

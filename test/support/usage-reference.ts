import { parsePico } from "../../src/domain/prices/pico-dollars.ts";
import type { TestDatabase } from "./database.ts";

/** A span as it is stored. */
type SpanRow = {
  trace: string;
  id: string;
  parent: string | null;
  sender: string;
  agent: string;
  op: string;
  model: string | null;
  role: "leaf" | "aggregate" | "none";
  input: string | null;
  output: string | null;
  cost: string | null;
  source: "sent" | "price" | "none" | null;
  conversation: string | null;
  task: string | null;
};

/** Sums by what they are of. */
export type UsageSums = Record<
  string,
  { calls: number; input: number; output: number; cost: bigint; unpriced: number }
>;

/** Counts from scratch what a workspace's spans charge and what counts in their traces, however slowly. */
export async function countUsage(
  { query }: TestDatabase,
  workspaceId: string,
): Promise<{ charged: UsageSums; traces: UsageSums }> {
  const spans = await query<SpanRow>(
    `SELECT s.trace_id AS trace, encode(s.span_id, 'hex') AS id, encode(s.parent_span_id, 'hex') AS parent,
       s.credential_agent_id AS sender, s.agent_id AS agent, s.op, s.model, s.usage_role AS role,
       s.input_tokens AS input, s.output_tokens AS output, s.cost_usd::text AS cost, s.cost_source AS source,
       max(s.attributes ->> 'gen_ai.conversation.id') OVER one AS conversation,
       max(s.attributes ->> 'aos.task_id') OVER one AS task
     FROM span s WHERE s.workspace_id = $1 WINDOW one AS (PARTITION BY s.trace_id, s.credential_agent_id)`,
    [workspaceId],
  );
  const sessions = await query<{ key: string; sender: string }>(
    `SELECT session_key AS key, sender_id AS sender FROM usage_session
     WHERE workspace_id = $1 AND signal = 'agent_log'`,
    [workspaceId],
  );
  const logged = new Set(sessions.map(({ key, sender }) => `${sender} ${key}`));
  const [charged, traces]: [UsageSums, UsageSums] = [{}, {}];
  for (const span of spans) {
    const counted = countSpan(
      span,
      spans.filter(({ trace, sender }) => trace === span.trace && sender === span.sender),
    );
    if (span.role !== "none") add(traces, span.trace, { span, ...counted });
    if (logged.has(`${span.sender} ${span.conversation ?? span.trace}`)) continue;
    addToAll(charged, span, counted);
  }
  const logs = await query<SpanRow>(
    `SELECT agent_id AS agent, model, input_tokens AS input, output_tokens AS output, cost_usd::text AS cost
     FROM usage_call WHERE workspace_id = $1 AND signal = 'agent_log'`,
    [workspaceId],
  );
  for (const log of logs) addToAll(charged, log, { tokens: true, cost: true });
  return { charged: withoutZeros(charged), traces: withoutZeros(traces) };
}

function addToAll(sums: UsageSums, span: SpanRow, counted: Counted): void {
  const keys = ["workspace ", `agent ${span.agent}`, `model ${span.model ?? ""}`];
  if (span.task) keys.push(`task ${span.task}`);
  for (const key of [...keys, `agent_model ${span.agent} ${span.model ?? ""}`])
    add(sums, key, { span, ...counted });
}

type Counted = { tokens: boolean; cost: boolean };

/** @param all the sender's spans of its trace. */
function countSpan(span: SpanRow, all: readonly SpanRow[]): Counted {
  const leaves = all.filter(({ role }) => role === "leaf");
  const isSum = span.role === "aggregate";
  if (leaves.length === 0) {
    const isOutermost = isSum && !isWithin(span, all, ({ role }) => role === "aggregate");
    return { tokens: isOutermost, cost: isOutermost };
  }
  const isTwin = leaves.some(
    (inner) =>
      inner.parent === span.id &&
      inner.id !== span.id &&
      span.parent !== inner.id &&
      inner.op === span.op &&
      inner.model === span.model,
  );
  const isCall = span.role === "leaf" && !isTwin;
  function isSentSum({ role, source }: SpanRow): boolean {
    return role === "aggregate" && source === "sent";
  }
  if (!all.some(isSentSum) || leaves.some(({ source }) => source === "sent"))
    return { tokens: isCall, cost: isCall };
  return { tokens: isCall, cost: (isCall || isSentSum(span)) && !isWithin(span, all, isSentSum) };
}

function isWithin(span: SpanRow, all: readonly SpanRow[], isSum: (span: SpanRow) => boolean): boolean {
  const seen = new Set([span.id]);
  let current: SpanRow | undefined = span;
  while (current !== undefined) {
    const { parent }: SpanRow = current;
    current = all.find(({ id }) => id === parent && !seen.has(id));
    if (current !== undefined && isSum(current)) return true;
    if (current !== undefined) seen.add(current.id);
  }
  return false;
}

function add(sums: UsageSums, key: string, { span, tokens, cost }: Counted & { span: SpanRow }): void {
  const sum = sums[key] ?? { calls: 0, input: 0, output: 0, cost: 0n, unpriced: 0 };
  if (tokens) {
    sum.calls++;
    sum.input += Number(span.input ?? 0);
    sum.output += Number(span.output ?? 0);
  }
  if (cost) {
    sum.cost += parsePico(span.cost ?? "0.000000000000");
    if (span.cost === null) sum.unpriced++;
  }
  sums[key] = sum;
}

function withoutZeros(sums: UsageSums): UsageSums {
  return Object.fromEntries(
    Object.entries(sums).filter(([, sum]) => Object.values(sum).some((value) => BigInt(value) !== 0n)),
  );
}

type SumRow = { key: string; calls: string; input: string; output: string; cost: string; unpriced: string };

/** Reads the sums as they are stored: of the buckets of one period, or of the traces. */
export async function readUsage(
  { query }: TestDatabase,
  workspaceId: string,
  period: "hour" | "day" | "month" | "all",
): Promise<UsageSums> {
  const rows = await query<SumRow>(
    `SELECT concat(dimension, ' ', key) AS key, sum(calls)::text AS calls, sum(input_tokens)::text AS input,
       sum(output_tokens)::text AS output, sum(cost_usd)::text AS cost, sum(unpriced_calls)::text AS unpriced
     FROM usage_bucket WHERE workspace_id = $1 AND period = $2 GROUP BY dimension, key`,
    [workspaceId, period],
  );
  return toSums(rows);
}

/** Reads the sums of the traces. */
export async function readTraceUsage({ query }: TestDatabase, workspaceId: string): Promise<UsageSums> {
  const rows = await query<SumRow>(
    `SELECT t.id AS key, (
       SELECT count(*) FROM usage_call c WHERE c.workspace_id = t.workspace_id AND c.trace_id = t.id
         AND c.signal = 'span' AND c.counts_tokens)::text AS calls,
       t.input_tokens::text AS input, t.output_tokens::text AS output, t.cost_usd::text AS cost,
       t.unpriced_calls::text AS unpriced FROM trace t WHERE t.workspace_id = $1`,
    [workspaceId],
  );
  return toSums(rows);
}

/** Sums the stored calls that are charged, by what the buckets are of. */
export async function sumChargedCalls({ query }: TestDatabase, workspaceId: string): Promise<UsageSums> {
  const rows = await query<SumRow>(
    `SELECT concat(d.dimension, ' ', d.key) AS key, count(*) FILTER (WHERE counts_tokens)::text AS calls,
       COALESCE(sum(input_tokens) FILTER (WHERE counts_tokens), 0)::text AS input,
       COALESCE(sum(output_tokens) FILTER (WHERE counts_tokens), 0)::text AS output,
       COALESCE(sum(cost_usd) FILTER (WHERE counts_cost), 0.000000000000)::text AS cost,
       count(*) FILTER (WHERE counts_cost AND cost_usd IS NULL)::text AS unpriced
     FROM usage_call c CROSS JOIN LATERAL (SELECT CASE WHEN NOT c.is_other_model THEN c.model END AS model) m
     CROSS JOIN LATERAL (VALUES ('workspace', ''), ('agent', c.agent_id::text), ('model', COALESCE(m.model, '')),
       ('agent_model', concat(c.agent_id, ' ', m.model)), ('task', c.task_id::text)) d (dimension, key)
     WHERE c.workspace_id = $1 AND c.charged AND d.key IS NOT NULL GROUP BY d.dimension, d.key`,
    [workspaceId],
  );
  return toSums(rows);
}

/** Millionths of a dollar, and tokens. */
type Reported = { usd: number; tokens: number };

/** What the charged calls cost in whole millionths of a dollar each, and their tokens. */
export async function sumCharges({ query }: TestDatabase, workspaceId: string): Promise<Reported[]> {
  return query(
    `SELECT COALESCE(sum(ceil(cost_usd * 1000000)) FILTER (WHERE counts_cost), 0)::float8 AS usd,
       COALESCE(sum(COALESCE(input_tokens, 0) + COALESCE(output_tokens, 0)) FILTER (WHERE counts_tokens), 0)::float8
         AS tokens
     FROM usage_call WHERE workspace_id = $1 AND charged`,
    [workspaceId],
  );
}

/** What a workspace's budgets have counted of it. */
export async function sumReported({ query }: TestDatabase, workspaceId: string): Promise<Reported[]> {
  return query(
    `SELECT COALESCE(sum(w.used) FILTER (WHERE b.unit = 'usd'), 0)::float8 AS usd,
       COALESCE(sum(w.used) FILTER (WHERE b.unit = 'tokens'), 0)::float8 AS tokens
     FROM budget_window w JOIN budget b ON b.workspace_id = w.workspace_id AND b.id = w.budget_id
     WHERE w.workspace_id = $1`,
    [workspaceId],
  );
}

function toSums(rows: readonly SumRow[]): UsageSums {
  return withoutZeros(
    Object.fromEntries(
      rows.map(({ key, calls, input, output, cost, unpriced }) => [
        key,
        {
          ...{ calls: Number(calls), input: Number(input), output: Number(output) },
          ...{ cost: parsePico(cost), unpriced: Number(unpriced) },
        },
      ]),
    ),
  );
}

import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { type ActorRecord, recordOf } from "./actor.ts";
import type { Transaction } from "./context.ts";
import type { Revocation } from "./revocation.ts";

/** The collections whose totals are kept. */
export const COLLECTIONS = [
  "users",
  "groups",
  "agents",
  "messages",
  "tasks",
  "eval_runs",
  "agent_commands",
  "robots",
  "missions",
] as const;

/** One of {@link COLLECTIONS}. */
export type Collection = (typeof COLLECTIONS)[number];

/** Something that happened to one row: `data` holds ids, the generation and the scalars that changed. */
export type EventInput = {
  /** `<subject>.<what happened>`, such as `task.created`. */
  type: string;
  subjectType: string;
  subjectId: string;
  agentId?: string | null;
  data?: Record<string, unknown>;
};

/** One row that came (`to`), went (`from`) or moved between statuses; null where the collection has none. */
export type TotalChange = { collection: Collection; from?: string | null; to?: string | null };

/** An act for the audit trail. `changes` must hold no secret. */
export type AuditInput = {
  action: string;
  targetType: string;
  targetId: string;
  changes?: Record<string, unknown>;
};

/** What a transaction tells at its end. */
export type Appended = {
  events: EventInput[];
  totals?: TotalChange[];
  audit?: AuditInput[];
  revocations?: Revocation[];
};

/** An audit row without its place in the chain. */
export type AuditRow = {
  id: string;
  workspaceId: string;
  seq: number;
  actor: unknown;
  action: string;
  targetType: string;
  targetId: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  changes: unknown;
  createdAt: string;
};

type Facet = { collection: string; facet: string; delta: number };
type ChainedAuditRow = AuditRow & { prevHash: string; hash: string };

/** The hash before the first audit row of a workspace. */
export const FIRST_AUDIT_HASH = new Uint8Array(32);

/**
 * Writes what happened, as the last statement of a transaction: events in the workspace's order, the
 * collections' totals and versions, audit rows in their chain, and revocations. The workspace's head
 * row is locked from here to the commit, which makes the order of events the order of commits.
 */
export async function append(tx: Transaction, appended: Appended): Promise<void> {
  const { ctx } = tx;
  const audit = await chain(tx, appended.audit ?? []);
  const events = appended.events.map((event) => ({
    id: uuidv7(),
    type: event.type,
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    agent_id: event.agentId ?? null,
    data: event.data ?? {},
  }));
  await tx.db.$queryRawUnsafe(
    APPEND,
    ctx.workspaceId,
    JSON.stringify(events),
    JSON.stringify(recordOf(ctx.actor)),
    ctx.traceparent,
    JSON.stringify(facets(appended.totals ?? [])),
    JSON.stringify(audit),
    audit.at(-1)?.hash ?? null,
    ctx.now,
  );
  tx.appended.events += events.length;
  await appendRevocations(tx, appended.revocations ?? []);
}

const APPEND = `
WITH head AS (
  UPDATE workspace_head
  SET seq = seq + jsonb_array_length($2::jsonb),
      audit_seq = audit_seq + jsonb_array_length($6::jsonb),
      audit_hash = COALESCE(decode($7, 'hex'), audit_hash)
  WHERE workspace_id = $1::uuid
  RETURNING seq, seq - jsonb_array_length($2::jsonb) AS base
), appended AS (
  INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, agent_id, actor, data, traceparent, occurred_at)
  SELECT $1::uuid, head.base + e.place, e.id, e.type, e.subject_type, e.subject_id, e.agent_id, $3::jsonb, e.data, $4,
         COALESCE($8::timestamptz, clock_timestamp())
  FROM head, ROWS FROM (
    jsonb_to_recordset($2::jsonb) AS (id uuid, type text, subject_type text, subject_id uuid, agent_id uuid, data jsonb)
  ) WITH ORDINALITY AS e(id, type, subject_type, subject_id, agent_id, data, place)
), counted AS (
  INSERT INTO collection_total AS kept (workspace_id, collection, facet, total, version)
  SELECT $1::uuid, t.collection, t.facet, t.delta, head.seq
  FROM head, jsonb_to_recordset($5::jsonb) AS t(collection text, facet text, delta int)
  ON CONFLICT (workspace_id, collection, facet)
  DO UPDATE SET total = kept.total + EXCLUDED.total, version = EXCLUDED.version
), audited AS (
  INSERT INTO audit_event (workspace_id, seq, id, actor, action, target_type, target_id, ip, user_agent, request_id,
                           changes, prev_hash, hash, created_at)
  SELECT $1::uuid, a.seq, a.id, a.actor, a.action, a."targetType", a."targetId", a.ip, a."userAgent", a."requestId",
         a.changes, decode(a."prevHash", 'hex'), decode(a.hash, 'hex'), a."createdAt"
  FROM head, jsonb_to_recordset($6::jsonb) AS a(
    seq bigint, id uuid, actor jsonb, action text, "targetType" text, "targetId" text, ip text, "userAgent" text,
    "requestId" text, changes jsonb, "prevHash" text, hash text, "createdAt" timestamptz)
)
SELECT seq FROM head`;

/** Sums the changes of each facet; a collection's `all` is named even where its total stays, to move its version. */
function facets(changes: TotalChange[]): Facet[] {
  const sums = new Map<string, Facet>();
  for (const { collection, from, to } of changes) {
    addTo(sums, { collection, facet: "all", delta: Number(to !== undefined) - Number(from !== undefined) });
    if (typeof from === "string") addTo(sums, { collection, facet: from, delta: -1 });
    if (typeof to === "string") addTo(sums, { collection, facet: to, delta: 1 });
  }
  return [...sums.values()];
}

function addTo(sums: Map<string, Facet>, { collection, facet, delta }: Facet): void {
  const key = `${collection} ${facet}`;
  sums.set(key, { collection, facet, delta: (sums.get(key)?.delta ?? 0) + delta });
}

async function chain(tx: Transaction, inputs: AuditInput[]): Promise<ChainedAuditRow[]> {
  if (inputs.length === 0) return [];
  const { ctx } = tx;
  const [head] = await tx.db.$queryRawUnsafe<{ seq: bigint; hash: Uint8Array; at: Date }[]>(
    `SELECT audit_seq AS seq, audit_hash AS hash, date_trunc('milliseconds', COALESCE($2::timestamptz, clock_timestamp())) AS at
     FROM workspace_head WHERE workspace_id = $1::uuid FOR UPDATE`,
    ctx.workspaceId,
    ctx.now,
  );
  if (head === undefined) throw new Error("a workspace without its head");
  let prevHash = Buffer.from(head.hash).toString("hex");
  return inputs.map((input, index) => {
    const row: AuditRow = {
      id: uuidv7(),
      workspaceId: ctx.workspaceId,
      seq: Number(head.seq) + index + 1,
      actor: recordOf(ctx.actor) satisfies ActorRecord,
      action: input.action,
      targetType: input.targetType,
      targetId: input.targetId,
      ip: ctx.ip,
      userAgent: ctx.userAgent,
      requestId: ctx.requestId,
      changes: input.changes ?? {},
      createdAt: head.at.toISOString(),
    };
    const hash = auditHash(prevHash, row);
    const chained = { ...row, prevHash, hash };
    prevHash = hash;
    return chained;
  });
}

/**
 * The hash that chains an audit row to the one before it.
 *
 * @returns SHA-256 over the earlier hash and the row's canonical JSON, as hex.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function auditHash(prevHash: string, row: AuditRow): string {
  return createHash("sha256")
    .update(Buffer.from(prevHash, "hex"))
    .update(canonicalize(row) ?? "")
    .digest("hex");
}

/** Revocations have one order in the whole installation; their head is locked after the workspace's. */
async function appendRevocations(tx: Transaction, revocations: Revocation[]): Promise<void> {
  if (revocations.length === 0) return;
  await tx.db.$queryRawUnsafe(
    `WITH head AS (
       UPDATE revocation_head SET seq = seq + jsonb_array_length($2::jsonb) WHERE id = 1
       RETURNING seq - jsonb_array_length($2::jsonb) AS base
     )
     INSERT INTO revocation (seq, workspace_id, kind, subject_id, reason)
     SELECT head.base + r.place, $1::uuid, r.kind::revocation_kind, r."subjectId", r.reason
     FROM head, ROWS FROM (
       jsonb_to_recordset($2::jsonb) AS (kind text, "subjectId" uuid, reason text)
     ) WITH ORDINALITY AS r(kind, "subjectId", reason, place)`,
    tx.ctx.workspaceId,
    JSON.stringify(revocations),
  );
  tx.appended.revoked.push(...revocations);
}

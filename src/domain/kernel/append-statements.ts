import canonicalize from "canonicalize";
import { v7 as uuidv7 } from "uuid";
import { CLOCK, type BoundStatement, type Statement, sql } from "../../db/sql.ts";
import { type Actor, createActorRecord } from "./actor.ts";
import { buildRevocationStatements } from "./revocation-statements.ts";
import { WRITE_CONVERSATIONS, sumConversations } from "./conversation-statement.ts";
import {
  REQUIRE_AGENT_QUOTA,
  type HeldBy,
  addsAgent,
  QUOTA_SQL,
  countCreated,
  getHeld,
} from "./quota-statements.ts";
import type { AppendContent, AuditInput, EventInput, AppendBatch, TotalChange } from "./events.ts";

/** The author of a transaction. */
export type Author = {
  actor: Actor;
  workspaceId: string;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  traceparent: string | null;
  now: Date | null;
};

type Facet = { collection: string; facet: string; delta: number };

/** Whether an append must not wait for the head row. */
export function isUrgent({ revocations = [], isUrgent: isSaid = false }: AppendBatch): boolean {
  return isSaid || revocations.length > 0;
}

/** An append, serialized for its statements. */
export type SerializedAppend = {
  events: string;
  actor: string;
  traceparent: string | null;
  totals: string;
  /** Null if there is none. Missing in appends that an older version deferred. */
  conversations?: string | null;
  /** Null if there is none. */
  audit: string | null;
  /** Null if there is none. Missing in appends that an older version deferred. */
  spans?: string | null;
  /** How many tasks were created, and whether the workspace grows. Missing in appends that an older version deferred. */
  tasks?: number;
  grows?: boolean;
};

/**
 * Builds the statements that write an append, in order, at the end of a transaction. The first one locks
 * the workspace's head row until the commit, so that events are in the order of commits.
 *
 * A transaction that waits for the head holds other locks, so it waits only briefly and is then retried.
 */
export function buildAppendStatements(author: Author, appended: readonly AppendBatch[]): BoundStatement[] {
  return buildStatements(EVENTS_IN_ORDER, author, appended);
}

/** {@link buildAppendStatements} that ignores earlier deferred appends. */
export function buildUnorderedAppendStatements(
  author: Author,
  appended: readonly AppendBatch[],
): BoundStatement[] {
  return buildStatements(EVENTS, author, appended);
}

function buildStatements(
  write: Statement,
  author: Author,
  appended: readonly AppendBatch[],
): BoundStatement[] {
  if (appended.length === 0) return [];
  const content = serializeAppend(author, appended);
  return [
    [appended.some(isUrgent) ? HEAD_WAIT_URGENT : HEAD_WAIT, []],
    ...buildWriteStatements(write, { ...author, held: getHeld(author.actor, appended) }, content),
    ...(addsAgent(author.actor, appended) ? [[REQUIRE_AGENT_QUOTA, [author.workspaceId]] as const] : []),
    ...buildRevocationStatements(author.workspaceId, appended),
  ];
}

/**
 * {@link buildAppendStatements} for urgent changes, without waiting for the head row: the append is stored
 * separately and written later.
 *
 * @see writeDeferredAppends
 */
export function buildDeferralStatements(
  author: Author,
  appended: readonly AppendContent[],
): BoundStatement[] {
  const { workspaceId, now } = author;
  const kept = JSON.stringify(serializeAppend(author, appended));
  return [[DEFER, [workspaceId, uuidv7(), kept, now]], ...buildRevocationStatements(workspaceId, appended)];
}

/** Builds the statements that write a deferred append, ignoring other deferred ones. */
export function buildDeferredAppendStatements(
  workspaceId: string,
  now: Date,
  content: SerializedAppend,
): BoundStatement[] {
  return buildWriteStatements(EVENTS, { workspaceId, now, held: null }, content);
}

/** Builds the statements for events, totals, conversations, audit events and spans only. */
function buildWriteStatements(
  write: Statement,
  { workspaceId, now, held }: Pick<Author, "workspaceId" | "now"> & { held: HeldBy },
  content: SerializedAppend,
): BoundStatement[] {
  const { events, actor, traceparent, totals, conversations = null, audit, spans = null } = content;
  const { tasks = 0, grows = false } = content;
  // Before the head row is locked.
  const statements: BoundStatement[] = spans === null ? [] : [[QUEUE_SPANS, [workspaceId, spans]]];
  statements.push([write, [workspaceId, events, actor, traceparent, totals, tasks, held, grows, now]]);
  if (conversations !== null) statements.push([WRITE_CONVERSATIONS, [workspaceId, conversations]]);
  if (audit !== null) statements.push([AUDIT, [workspaceId, audit, now]]);
  return statements;
}

function serializeAppend(author: Author, appended: readonly AppendContent[]): SerializedAppend {
  const acts = appended.flatMap((one) => (one.audit ?? []).map((act) => toAuditPieces(author, act)));
  const conversations = sumConversations(appended.flatMap((one) => one.conversations ?? []));
  const spans = appended.flatMap((one) => [
    ...one.events.flatMap((event) => event.spans ?? []),
    ...(one.spans ?? []),
  ]);
  return {
    events: JSON.stringify(appended.flatMap((one) => one.events.map(toEventRow))),
    actor: JSON.stringify(createActorRecord(author.actor)),
    traceparent: author.traceparent,
    totals: JSON.stringify(sumFacets(appended.flatMap((one) => one.totals ?? []))),
    conversations: conversations.length > 0 ? JSON.stringify(conversations) : null,
    audit: acts.length > 0 ? JSON.stringify(acts) : null,
    spans: spans.length > 0 ? JSON.stringify(spans.map((span) => ({ id: uuidv7(), span }))) : null,
    ...countCreated(appended.flatMap((one) => one.totals ?? [])),
  };
}

function toEventRow({ type, subjectType, subjectId, agentId, data, actor, at }: EventInput) {
  return {
    id: uuidv7(),
    type,
    subject_type: subjectType,
    subject_id: subjectId,
    agent_id: agentId ?? null,
    data: data ?? {},
    actor: actor ?? null,
    at: at ?? null,
  };
}

/** Sums the changes per facet. The facet `all` is always included, to change the collection's version. */
function sumFacets(changes: TotalChange[]): Facet[] {
  const sums = new Map<string, Facet>();
  for (const { collection, from, to } of changes) {
    addFacet(sums, {
      collection,
      facet: "all",
      delta: Number(to !== undefined) - Number(from !== undefined),
    });
    if (typeof from === "string") addFacet(sums, { collection, facet: from, delta: -1 });
    if (typeof to === "string") addFacet(sums, { collection, facet: to, delta: 1 });
  }
  return [...sums.values()];
}

function addFacet(sums: Map<string, Facet>, { collection, facet, delta }: Facet): void {
  const key = `${collection} ${facet}`;
  sums.set(key, { collection, facet, delta: (sums.get(key)?.delta ?? 0) + delta });
}

/**
 * Splits an audit event's canonical JSON into three pieces: PostgreSQL adds the time and the position in
 * the chain between them, and hashes it as {@link auditHash} does. Canonical JSON is ordered by property
 * name.
 */
function toAuditPieces(author: Author, { action, targetType, targetId, changes = {} }: AuditInput) {
  const { workspaceId, requestId, ip, userAgent } = author;
  const [id, actor] = [uuidv7(), createActorRecord(author.actor)];
  return {
    id,
    actor,
    action,
    targetType,
    targetId,
    ip,
    userAgent,
    requestId,
    changes,
    before: `{${serializeMembers({ action, actor, changes })},"createdAt":"`,
    between: `",${serializeMembers({ id, ip, requestId })},"seq":`,
    after: `,${serializeMembers({ targetId, targetType, userAgent, workspaceId })}}`,
  };
}

function serializeMembers(part: object): string {
  return (canonicalize(part) ?? "").slice(1, -1);
}

/** How long a transaction waits for its workspace's head. Runs before the other statements. */
export const HEAD_WAIT = sql`SET LOCAL lock_timeout = '1s'`;
const HEAD_WAIT_URGENT = sql`SET LOCAL lock_timeout = '300ms'`;

const DEFER = sql`
INSERT INTO deferred_append (workspace_id, id, content, created_at)
VALUES ($1::uuid, $2::uuid, $3::jsonb, date_trunc('milliseconds', ${CLOCK}))`;

// Without a head row, this and AUDIT fail, because seq is null.
const EVENTS = sql`${buildEventsSql("jsonb_array_length($2::jsonb)")}`;

/**
 * Like EVENTS, but divides by zero if a deferred append is not written yet, which no other statement does.
 * A transaction that changes the same rows as a deferred one sees its append, because that was committed
 * before.
 *
 * @see isDivisionByZero
 */
const EVENTS_IN_ORDER = sql`${buildEventsSql(
  "jsonb_array_length($2::jsonb) / (SELECT CASE WHEN EXISTS (SELECT 1 FROM deferred_append WHERE workspace_id = $1::uuid) THEN 0 ELSE 1 END)",
)}`;

/** Totals that change without an event count a tick, so that the list is seen to change. */
function buildEventsSql(count: string): string {
  return `
WITH head AS (
  UPDATE workspace_head SET seq = seq + ${count}, ${QUOTA_SQL.counted} WHERE workspace_id = $1::uuid
  RETURNING seq, seq - jsonb_array_length($2::jsonb) AS base, ${QUOTA_SQL.refused} AS refused
), counted AS (
  INSERT INTO collection_total AS kept (workspace_id, collection, facet, total, version)
  SELECT $1::uuid, t.collection, t.facet, t.delta, head.seq
  FROM head, jsonb_to_recordset($5::jsonb) AS t(collection text, facet text, delta int)
  ON CONFLICT (workspace_id, collection, facet)
  DO UPDATE SET total = kept.total + EXCLUDED.total, version = EXCLUDED.version,
    ticks = kept.ticks + CASE jsonb_array_length($2::jsonb) WHEN 0 THEN 1 ELSE 0 END
)
INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, agent_id, actor, data, traceparent, occurred_at)
SELECT $1::uuid, (SELECT base FROM head) + e.place, e.id, e.type, e.subject_type, e.subject_id, e.agent_id,
       COALESCE(e.actor, $3::jsonb), e.data, $4, COALESCE(e.at, ${CLOCK})
FROM ROWS FROM (
  jsonb_to_recordset($2::jsonb)
  AS (id uuid, type text, subject_type text, subject_id uuid, agent_id uuid, data jsonb, actor jsonb, at timestamptz)
) WITH ORDINALITY AS e(id, type, subject_type, subject_id, agent_id, data, actor, at, place)`;
}

/**
 * In a statement of its own, so that it reads the head after it was locked. The chain takes each act by its place: a
 * join would look at all of them for each.
 */
const AUDIT = sql`
WITH RECURSIVE head AS MATERIALIZED (
  SELECT h.audit_seq AS seq, h.audit_hash AS hash,
         date_trunc('milliseconds', ${CLOCK}) AS at
  FROM (VALUES ($1::uuid)) AS one(workspace_id) LEFT JOIN workspace_head h USING (workspace_id)
), act AS MATERIALIZED (
  SELECT * FROM ROWS FROM (
    jsonb_to_recordset($2::jsonb) AS (
      id uuid, actor jsonb, action text, "targetType" text, "targetId" text, ip text, "userAgent" text,
      "requestId" text, changes jsonb)
  ) WITH ORDINALITY AS a(id, actor, action, target_type, target_id, ip, user_agent, request_id, changes, place)
), chained AS (
  SELECT 0::bigint AS place, seq, hash AS prev_hash, hash FROM head
  UNION ALL
  SELECT c.place + 1, c.seq + 1, c.hash, sha256(c.hash || convert_to(
    (a.piece ->> 'before') || to_char(head.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || (a.piece ->> 'between') || (c.seq + 1)::text || (a.piece ->> 'after'), 'UTF8'))
  FROM chained c, head, LATERAL (SELECT $2::jsonb -> c.place::int AS piece) a
  WHERE c.place < jsonb_array_length($2::jsonb)
), audited AS (
  INSERT INTO audit_event (workspace_id, seq, id, actor, action, target_type, target_id, ip, user_agent, request_id,
                           changes, prev_hash, hash, created_at)
  SELECT $1::uuid, c.seq, a.id, a.actor, a.action, a.target_type, a.target_id, a.ip, a.user_agent, a.request_id,
         a.changes, c.prev_hash, c.hash, head.at
  FROM chained c JOIN act a USING (place), head
)
UPDATE workspace_head SET (audit_seq, audit_hash) = (SELECT seq, hash FROM chained ORDER BY place DESC LIMIT 1)
WHERE workspace_id = $1::uuid`;

/** They are written into their traces later, so that no act waits for a trace, or fails for one. */
const QUEUE_SPANS = sql`
INSERT INTO queued_span (workspace_id, id, span)
SELECT $1::uuid, q.id, q.span FROM jsonb_to_recordset($2::jsonb) AS q(id uuid, span jsonb)`;

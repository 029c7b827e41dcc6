import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import { type Run, type Statement, bindTime, sql } from "../../db/sql.ts";
import { getDatabaseErrorKind, isDivisionByZero, isLockTimeout } from "../../db/database-errors.ts";
import { enterTogether } from "../../db/enter-together.ts";
import type { DatabaseTransaction } from "../../db/run-transaction.ts";
import { type TenantDb, bindToWorkspace, createLazyClient } from "../../db/tenant.ts";
import type { Actor } from "./actor.ts";
import {
  buildAppendStatements,
  buildUnorderedAppendStatements,
  buildDeferralStatements,
  isUrgent,
} from "./append-statements.ts";
import type { AuditSigner } from "../audit/signature.ts";
import type { AppendBatch } from "./events.ts";
import type { SchemaChecker } from "../json-schema/schema-checker.ts";
import type { LiveChannel } from "./live-channel.ts";
import { requireValidCredential } from "./require-valid-credential.ts";
import { writeWorkspaceDeferredAppends } from "./write-deferred-appends.ts";

/** What the process has once, built in app.ts. Not bound to any workspace. */
export type Services = {
  log: Logger;
  database: Database;
  live: LiveChannel;
  schemas: SchemaChecker;
  /** Signs what the audit log is and what is deleted of it; null where there is no key. */
  auditSigner: AuditSigner | null;
  /** Ends what waits, when the server stops. */
  stopping?: AbortSignal;
};

/** A session that a browser is to keep from now on. */
export type NewSession = { token: string; remembered: boolean };

/** Who asks, for which workspace, and how the request can be traced. */
export type Caller = {
  actor: Actor;
  workspaceId: string;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  traceparent: string | null;
  /** The request's Idempotency-Key, where the door honours it. */
  idempotency: { key: string; requestHash: Uint8Array<ArrayBuffer> } | null;
  /** Hands the caller's browser the session that takes the place of its own, after the commit. */
  handSession: (session: NewSession) => void;
  /** When it was begun to find out who it is, by `performance.now()`; with the context where it is left out. */
  identifiedAtMs?: number;
};

/**
 * What a use case works with: the caller, and the database for it. Prisma is bound to the caller's workspace;
 * statements name it themselves.
 *
 * @see docs/database.md
 */
export type Ctx = Required<Caller> & {
  log: Logger;
  /** What the context was opened with: for auth, which has more of its own in it. */
  services: Services;
  /** Prisma outside a transaction. */
  db: TenantDb;
  /** Runs a statement that reads. */
  read: Read;
  /** Runs a statement that writes, and that needs no transaction. */
  run: Run;
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>, urgency?: Urgency) => Promise<Result>;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
  /** Ends what waits, when the caller goes away; null where that can't be told. */
  signal: AbortSignal | null;
};

/** A running transaction, and whose it is. */
export type Transaction = {
  ctx: Ctx;
  /** Runs a statement. */
  run: Run;
  /** Prisma. */
  db: TenantDb;
  /** The time at which the transaction writes, in milliseconds. */
  now: () => Promise<Date>;
  /** What append() was given: written at the end, and told to the nodes after the commit. */
  appended: AppendBatch[];
};

/** Runs a statement that reads. */
export type Read = <Row extends object>(
  statement: Statement<Row>,
  values: readonly unknown[],
  urgency?: Urgency,
) => Promise<Row[]>;

/** What revokes or stops something is urgent: it waits behind nothing else. */
export type Urgency = "usual" | "urgent";

const ATTEMPTS = 3;
/** For how long a transaction begins anew where it does not come to write its events. */
const HEAD_TIMEOUT_MS = 10_000;

/** A caller with nothing but its actor and workspace: the command line and background work. */
export function systemCaller(workspaceId: string, name: string): Caller {
  return {
    actor: { type: "system", name },
    workspaceId,
    requestId: null,
    ip: null,
    userAgent: null,
    traceparent: null,
    idempotency: null,
    handSession: () => {},
  };
}

/** Opens the context of one request. */
export function openCtx(services: Services, caller: Caller, now: Date | null = null): Ctx {
  const { database, log } = services;
  const { actor, workspaceId, requestId, ip, userAgent, traceparent, idempotency, handSession } = caller;
  const [reads, urgentReads] = [getLaneKey(caller, "reads"), getLaneKey(caller, "urgent reads")];
  const read = database.runIn(reads, () => ctx.signal);
  const readUrgent = database.runIn(urgentReads);
  const write = database.runIn(getLaneKey(caller, "writes"));
  // Named one by one: spread, each context would have a shape of its own, ten times as slow to make.
  const unbound: Omit<Ctx, "db"> = {
    actor,
    workspaceId,
    requestId,
    ip,
    userAgent,
    traceparent,
    idempotency,
    handSession,
    identifiedAtMs: caller.identifiedAtMs ?? performance.now(),
    log,
    services,
    read: (statement, values, urgency) =>
      (urgency === "urgent" ? readUrgent : read)(statement, bindTime(statement, values, ctx.now)),
    run: (statement, values) => write(statement, bindTime(statement, values, ctx.now)),
    transaction: (work, urgency) => transact(ctx, work, urgency),
    now,
    signal: null,
  };
  // It is a whole Ctx from here on.
  const ctx = Object.defineProperty(unbound, "db", DB) as Ctx;
  return ctx;
}

/** Bound when first used: most requests only read a page, which needs no Prisma. Shared by all, so that they have one shape. */
const DB = { get: bindDb, enumerable: true, configurable: true };

function bindDb(this: Ctx): TenantDb {
  const { lanes, prisma } = this.services.database;
  const [reads, writes] = [getLaneKey(this, "reads"), getLaneKey(this, "writes")];
  const value = bindToWorkspace(prisma, this.workspaceId, {
    lookUp: enterTogether((work) => lanes(reads, work)),
    read: (work) => lanes(reads, work, this.signal),
    write: (work) => lanes(writes, work),
  });
  Object.defineProperty(this, "db", { value, enumerable: true });
  return value;
}

/** How a transaction writes what append() was given. */
type CommitPlan = { appended: AppendBatch[]; statements: typeof buildAppendStatements };

/**
 * Runs a transaction, again where PostgreSQL ended it to break a deadlock, others held the workspace's head, or
 * what was deferred comes first; and tells the nodes of it. What is urgent does not wait for the head a second time.
 * A workspace has so many at once that they do not take up every connection while they wait for its head.
 */
async function transact<Result>(
  ctx: Ctx,
  work: (tx: Transaction) => Promise<Result>,
  urgency: Urgency = "usual",
): Promise<Result> {
  const lane = getLaneKey(ctx, urgency === "urgent" ? "urgent writes" : "writes");
  const untilMs = performance.now() + HEAD_TIMEOUT_MS;
  let statements = buildAppendStatements;
  let conflicts = 0;
  for (;;) {
    const appended: AppendBatch[] = [];
    requireValidCredential(ctx);
    try {
      const plan = { appended, statements };
      const result = await ctx.services.database.lanes(lane, () => workAndAppend(ctx, plan, work));
      await notifyNodes(ctx, appended);
      return result;
    } catch (error) {
      const isConflict = getDatabaseErrorKind(error) === "conflict" && ++conflicts < ATTEMPTS;
      const mustWait = (isLockTimeout(error) || isDivisionByZero(error)) && performance.now() < untilMs;
      if (!isConflict && !mustWait) throw error;
      if (!mustWait) continue;
      if (appended.some(isUrgent)) statements = buildDeferralStatements;
      else if (isDivisionByZero(error) && !(await writeDeferred(ctx)))
        statements = buildUnorderedAppendStatements;
    }
  }
}

/** Writes what was deferred in the workspace. @returns false where it can't be written, and holds up nobody. */
async function writeDeferred(ctx: Ctx): Promise<boolean> {
  const { services, workspaceId, log } = ctx;
  try {
    await services.database.lanes(getLaneKey(ctx, "writes"), () =>
      writeWorkspaceDeferredAppends(services, workspaceId),
    );
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return true;
    log.error({ err: error, workspaceId }, "what was deferred could not be written");
    return false;
  }
}

type Lane = "reads" | "writes" | "urgent reads" | "urgent writes";

/**
 * Agents are apart from whoever may have to stop them, and both from what the service does by itself. No lane waits
 * for another, but for writes, whose transactions may read.
 */
function getLaneKey(
  { actor: { type }, workspaceId }: Pick<Ctx, "actor" | "workspaceId">,
  lane: Lane,
): string {
  const who = type === "agent" || type === "system" ? type : "person";
  return `${lane} ${who} ${workspaceId}`;
}

async function notifyNodes({ services, workspaceId }: Ctx, appended: readonly AppendBatch[]): Promise<void> {
  const revoked = appended.flatMap(({ revocations }) => revocations ?? []);
  const isToTell = revoked.length > 0 || appended.some(({ events }) => events.length > 0);
  if (isToTell) services.live.notifyCommit(workspaceId, revoked);
  if (revoked.length > 0) await services.live.waitForAcknowledgement();
}

async function workAndAppend<Result>(
  ctx: Ctx,
  { appended, statements }: CommitPlan,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return ctx.services.database.transaction(async (begun) => {
    const result = await work(openTransaction(ctx, begun, appended));
    return { result, last: statements(ctx, appended) };
  });
}

function openTransaction(ctx: Ctx, { run, lend }: DatabaseTransaction, appended: AppendBatch[]): Transaction {
  let time: Promise<Date> | null = null;
  async function readTime(): Promise<Date> {
    const [row] = await run(TIME, []);
    if (row === undefined) throw new Error("PostgreSQL did not tell the time");
    return row.now;
  }
  return {
    ctx,
    run: (statement, values) => run(statement, bindTime(statement, values, ctx.now)),
    db: createLazyClient(() => lend((prisma) => bindToWorkspace(prisma, ctx.workspaceId))),
    now: () => (time ??= ctx.now === null ? readTime() : Promise.resolve(ctx.now)),
    appended,
  };
}

const TIME = sql<{ now: Date }>`SELECT date_trunc('milliseconds', now()) AS now`;

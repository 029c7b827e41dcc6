import type { Logger } from "pino";
import { type BoundStatement, type Run, type Statement, bindTime, sql } from "../../db/sql.ts";
import { getDatabaseErrorKind, isDivisionByZero, isLockTimeout } from "../../db/database-errors.ts";
import { enterTogether } from "../../db/enter-together.ts";
import type { LaneKey } from "../../db/lanes.ts";
import type { DatabaseTransaction } from "../../db/run-transaction.ts";
import { type TenantDb, bindToWorkspace, createLazyClient } from "../../db/tenant.ts";
import type { Actor } from "./actor.ts";
import {
  buildAppendStatements,
  buildUnorderedAppendStatements,
  buildDeferralStatements,
  isUrgent,
} from "./append-statements.ts";
import type { AppendBatch } from "./events.ts";
import { findQuotaError } from "./quota-error.ts";
import type { Services } from "./services.ts";
import { requireValidCredential } from "./require-valid-credential.ts";
import { writeWorkspaceDeferredAppends } from "./write-deferred-appends.ts";

/** A session for the browser to store. */
export type NewSession = { token: string; remembered: boolean };

/** The caller, its workspace, and tracing of the request. */
export type Caller = {
  actor: Actor;
  workspaceId: string;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  traceparent: string | null;
  /** The request's Idempotency-Key, if the route supports it. */
  idempotency: { key: string; requestHash: Uint8Array<ArrayBuffer> } | null;
  /** Called after the commit with the session that replaces the caller's. */
  handSession: (session: NewSession) => void;
  /** When authentication started, by `performance.now()`. Default: when the context is created. */
  identifiedAtMs?: number;
};

/**
 * The context of a use case: the caller and the database. Prisma is bound to the caller's workspace;
 * statements name it themselves.
 *
 * @see docs/database.md
 */
export type Ctx = Required<Caller> & {
  log: Logger;
  /** The services that the context was created with. Those of auth include more. */
  services: Services;
  /** Prisma outside a transaction. */
  db: TenantDb;
  /** Runs a statement that reads. */
  read: Read;
  /** Runs a statement that writes and needs no transaction. */
  run: Run;
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>, urgency?: Urgency) => Promise<Result>;
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
  /** Aborted when the client disconnects, to end waits; null if that is not known. */
  signal: AbortSignal | null;
  /** Whether the API holds its connections for as long as people may take. Set by APIs for the calls of tools. */
  canHold: boolean;
};

/** A running transaction. */
export type Transaction = {
  ctx: Ctx;
  run: Run;
  /** Runs a statement with the commit, which saves a round trip: its locks are held only then. Nobody reads its rows. */
  runLast: (statement: Statement, values: readonly unknown[]) => void;
  db: TenantDb;
  /** The transaction's time, in milliseconds. */
  now: () => Promise<Date>;
  /** The appends: written at the end, and sent to the nodes after the commit. */
  appended: AppendBatch[];
};

/** Runs a statement that reads. */
export type Read = <Row extends object>(
  statement: Statement<Row>,
  values: readonly unknown[],
  urgency?: Urgency,
) => Promise<Row[]>;

/** Revocations and stops are urgent: they don't wait for others. */
export type Urgency = "usual" | "urgent";

const ATTEMPTS = 3;
/** How long a transaction is retried if it can't lock the head row. */
const HEAD_TIMEOUT_MS = 10_000;

/** Creates a caller with only an actor and a workspace, for the command line and background jobs. */
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

/** Creates the context of one request. */
export function openCtx(services: Services, caller: Caller, now: Date | null = null): Ctx {
  const { database, log } = services;
  const { actor, workspaceId, requestId, ip, userAgent, traceparent, idempotency, handSession } = caller;
  const [reads, urgentReads] = [getLaneKey(caller, "reads"), getLaneKey(caller, "urgent reads")];
  const read = database.runIn(reads, () => ctx.signal);
  const readUrgent = database.runIn(urgentReads);
  const write = database.runIn(getLaneKey(caller, "writes"));
  // Listed one by one: spread objects would each have their own hidden class, which is ten times slower.
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
    canHold: false,
  };
  // A complete Ctx from here on.
  const ctx = Object.defineProperty(unbound, "db", DB) as Ctx;
  return ctx;
}

/**
 * Bound at first use: most requests only read a page, which needs no Prisma. Shared, so that contexts have
 * one hidden class.
 */
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

/** How a transaction writes its appends. */
type CommitPlan = { appended: AppendBatch[]; statements: typeof buildAppendStatements };

/**
 * Runs a transaction and notifies the nodes. Retries after a deadlock, if the head row is locked, or if a
 * deferred append must be written first. Urgent transactions don't wait for the head a second time. The
 * number of concurrent transactions per workspace is limited, so that they don't use all connections while
 * they wait.
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
      if (!isConflict && !mustWait) throw findQuotaError(error) ?? error;
      if (!mustWait) continue;
      if (appended.some(isUrgent)) statements = buildDeferralStatements;
      else if (isDivisionByZero(error) && !(await writeDeferred(ctx)))
        statements = buildUnorderedAppendStatements;
    }
  }
}

/** Writes the workspace's deferred appends. @returns false if that is not possible at the moment. */
async function writeDeferred(ctx: Ctx): Promise<boolean> {
  const { services, workspaceId, log } = ctx;
  try {
    await services.database.lanes(getLaneKey(ctx, "writes"), () =>
      writeWorkspaceDeferredAppends(services, workspaceId),
    );
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return true;
    log.error({ err: error, workspaceId }, "deferred appends could not be written");
    return false;
  }
}

type Lane = "reads" | "writes" | "urgent reads" | "urgent writes";

/**
 * Agents have lanes of their own, apart from people who may have to stop them and from background jobs. One of each
 * lane waits for no other lane, except that transactions in the write lanes may read.
 */
function getLaneKey(
  { actor: { type }, workspaceId }: Pick<Ctx, "actor" | "workspaceId">,
  lane: Lane,
): LaneKey {
  const who = type === "agent" || type === "system" ? type : "person";
  return { owner: workspaceId, name: `${lane} ${who}` };
}

async function notifyNodes({ services, workspaceId }: Ctx, appended: readonly AppendBatch[]): Promise<void> {
  const revoked = appended.flatMap(({ revocations }) => revocations ?? []);
  const mustNotify = revoked.length > 0 || appended.some(({ events }) => events.length > 0);
  if (mustNotify) services.live.notifyCommit(workspaceId, revoked);
  if (revoked.length > 0) await services.live.waitForAcknowledgement();
}

async function workAndAppend<Result>(
  ctx: Ctx,
  { appended, statements }: CommitPlan,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return ctx.services.database.transaction(async (begun) => {
    const last: BoundStatement[] = [];
    const result = await work(openTransaction(ctx, begun, { appended, last }));
    return { result, last: [...last, ...statements(ctx, appended)] };
  });
}

function openTransaction(
  ctx: Ctx,
  { run, lend }: DatabaseTransaction,
  { appended, last }: { appended: AppendBatch[]; last: BoundStatement[] },
): Transaction {
  let time: Promise<Date> | null = null;
  async function readTime(): Promise<Date> {
    const [row] = await run(TIME, []);
    if (row === undefined) throw new Error("PostgreSQL returned no time");
    return row.now;
  }
  return {
    ctx,
    run: (statement, values) => run(statement, bindTime(statement, values, ctx.now)),
    runLast: (statement, values) => void last.push([statement, bindTime(statement, values, ctx.now)]),
    db: createLazyClient(() => lend((prisma) => bindToWorkspace(prisma, ctx.workspaceId))),
    now: () => (time ??= ctx.now === null ? readTime() : Promise.resolve(ctx.now)),
    appended,
  };
}

const TIME = sql<{ now: Date }>`SELECT date_trunc('milliseconds', now()) AS now`;

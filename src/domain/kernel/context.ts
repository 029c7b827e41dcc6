import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import type { BoundStatement, ReadStatement, RunStatement } from "../../db/statement.ts";
import { getDatabaseErrorKind, isDivisionByZero, isLockTimeout } from "../../db/database-errors.ts";
import { enterTogether } from "../../db/enter-together.ts";
import { AT_COMMIT } from "../../db/prisma-adapter.ts";
import { type TenantDb, type TenantTransaction, bindToWorkspace } from "../../db/tenant.ts";
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

/** What a verb works with: the caller, and a database that holds nothing but the caller's workspace. */
export type Ctx = Required<Caller> & {
  log: Logger;
  /** What the context was opened with: for auth, which has more of its own in it. */
  services: Services;
  db: TenantDb;
  read: ReadStatement;
  /** The same for what many ask at once. What it gives is only to be read. */
  readShared: ReadStatement;
  /** The same for what a revocation begins with: it waits behind nothing else. */
  readUrgent: ReadStatement;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
  /** Ends what waits, when the caller goes away; null where that can't be told. */
  signal: AbortSignal | null;
  /** What revokes or stops is `urgent`: it waits behind nothing else. */
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>, urgency?: Urgency) => Promise<Result>;
  /** The same without Prisma, at a fraction of its cost: for what runs most. */
  write: <Result>(work: (tx: WriteTransaction) => Promise<Result>) => Promise<Result>;
};

/** A running transaction of prepared statements, which name their workspace themselves, and whose it is. */
export type WriteTransaction = {
  run: RunStatement;
  ctx: Ctx;
  /** What append() was told: written at the end, and told to the nodes after the commit. */
  appended: AppendBatch[];
};

/** A running transaction with Prisma. */
export type Transaction = WriteTransaction & { db: TenantTransaction };

type Urgency = "usual" | "urgent";

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
  const lane = getLaneKey(caller, "reads");
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
    read: database.readIn(lane, () => ctx.signal),
    readShared: database.readSharedIn(lane),
    readUrgent: database.readIn(getLaneKey(caller, "urgent reads")),
    now,
    signal: null,
    transaction: (work, urgency) => transact(ctx, (ending) => workWithPrisma(ctx, ending, work), urgency),
    write: (work) => transact(ctx, (ending) => workWithStatements(ctx, ending, work)),
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

/** How a transaction writes what append() was told. */
type CommitPlan = { appended: AppendBatch[]; statements: typeof buildAppendStatements };

/**
 * Runs a transaction, again where PostgreSQL ended it to break a deadlock, others held the workspace's head, or
 * what was deferred comes first; and tells the nodes of it. What is urgent does not wait for the head a second time.
 * A workspace has so many at once that they do not take up every connection while they wait for its head.
 */
async function transact<Result>(
  ctx: Ctx,
  work: (ending: CommitPlan) => Promise<Result>,
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
      const ending = { appended, statements };
      const result = await ctx.services.database.lanes(lane, () => work(ending));
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

async function workWithStatements<Result>(
  ctx: Ctx,
  { appended, statements }: CommitPlan,
  work: (tx: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  return ctx.services.database.transaction(async (run) => {
    const result = await work({ run, ctx, appended });
    return { result, last: statements(ctx, appended) };
  });
}

async function workWithPrisma<Result>(
  ctx: Ctx,
  { appended, statements }: CommitPlan,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const limits = { maxWait: 5000, timeout: 15_000 };
  const { services, workspaceId } = ctx;
  return bindToWorkspace(services.database.prisma, workspaceId).$transaction(async (db) => {
    async function run<Row extends object>(...[{ text }, values]: BoundStatement): Promise<Row[]> {
      return db.$queryRawUnsafe<Row[]>(text, ...values);
    }
    const result = await work({ db, run, ctx, appended });
    for (const [{ text }, values] of statements(ctx, appended))
      await db.$executeRawUnsafe(`${AT_COMMIT}${text}`, ...values);
    return result;
  }, limits);
}

import type { Logger } from "pino";
import type { Database } from "../db/client.ts";
import type { BoundStatement, Read, Run } from "../db/statement.ts";
import { failureOf } from "../db/failures.ts";
import { type TenantDb, type TenantTransaction, bindToWorkspace } from "../db/tenant.ts";
import type { Actor } from "./actor.ts";
import { appendStatements } from "./append-statements.ts";
import type { Appended } from "./events.ts";
import type { LiveChannel } from "./live-channel.ts";

/** What the process has once, built in app.ts. Not bound to any workspace. */
export type Services = {
  log: Logger;
  database: Database;
  live: LiveChannel;
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
};

/** What a verb works with: the caller, and a database that holds nothing but the caller's workspace. */
export type Ctx = Caller & {
  log: Logger;
  /** What the context was opened with: for auth, which has more of its own in it. */
  services: Services;
  db: TenantDb;
  read: Read;
  /** The same for what many ask at once. What it gives is only to be read. */
  readShared: Read;
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
  /** Ends what waits, when the caller goes away; null where that can't be told. */
  signal: AbortSignal | null;
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  /** The same without Prisma, at a fraction of its cost: for what runs most. */
  write: <Result>(work: (tx: Writing) => Promise<Result>) => Promise<Result>;
};

/** A running transaction of prepared statements, which name their workspace themselves, and whose it is. */
export type Writing = {
  run: Run;
  ctx: Ctx;
  /** What append() was told: written at the end, and told to the nodes after the commit. */
  appended: Appended[];
};

/** A running transaction with Prisma. */
export type Transaction = Writing & { db: TenantTransaction };

const ATTEMPTS = 3;

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
    log,
    services,
    read: database.read,
    readShared: database.readShared,
    now,
    signal: null,
    transaction: (work) => transact(ctx, (appended) => workWithPrisma(ctx, appended, work)),
    write: (work) => transact(ctx, (appended) => workWithStatements(ctx, appended, work)),
  };
  // It is a whole Ctx from here on.
  const ctx = Object.defineProperty(unbound, "db", DB) as Ctx;
  return ctx;
}

/** Bound when first used: most requests only read a page, which needs no Prisma. Shared by all, so that they have one shape. */
const DB = { get: boundDb, enumerable: true, configurable: true };

function boundDb(this: Ctx): TenantDb {
  const value = bindToWorkspace(this.services.database.prisma, this.workspaceId);
  Object.defineProperty(this, "db", { value, enumerable: true });
  return value;
}

/** Runs a transaction, again where PostgreSQL ended it to break a deadlock, and tells the nodes of it. */
async function transact<Result>(
  { services, workspaceId }: Ctx,
  work: (appended: Appended[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const appended: Appended[] = [];
    try {
      const result = await work(appended);
      const revoked = appended.flatMap(({ revocations }) => revocations ?? []);
      const isToTell = revoked.length > 0 || appended.some(({ events }) => events.length > 0);
      if (isToTell) services.live.committed(workspaceId, revoked);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || failureOf(error) !== "conflict") throw error;
    }
  }
}

async function workWithStatements<Result>(
  ctx: Ctx,
  appended: Appended[],
  work: (tx: Writing) => Promise<Result>,
): Promise<Result> {
  return ctx.services.database.transaction(async (run) => {
    const result = await work({ run, ctx, appended });
    return { result, last: appendStatements(ctx, appended) };
  });
}

async function workWithPrisma<Result>(
  ctx: Ctx,
  appended: Appended[],
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const limits = { maxWait: 5000, timeout: 15_000 };
  return ctx.db.$transaction(async (db) => {
    async function run<Row extends object>(...[{ text }, values]: BoundStatement): Promise<Row[]> {
      return db.$queryRawUnsafe<Row[]>(text, ...values);
    }
    const result = await work({ db, run, ctx, appended });
    for (const [statement, values] of appendStatements(ctx, appended)) await run(statement, values);
    return result;
  }, limits);
}

import type { Logger } from "pino";
import type { Database } from "../db/client.ts";
import type { Read } from "../db/statement.ts";
import { failureOf } from "../db/failures.ts";
import { type TenantDb, type TenantTransaction, bindToWorkspace } from "../db/tenant.ts";
import type { Actor } from "./actor.ts";
import type { LiveChannel } from "./live-channel.ts";
import type { Revocation } from "./revocation.ts";

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
};

/** A running transaction and whose it is. */
export type Transaction = {
  db: TenantTransaction;
  ctx: Ctx;
  /** What append() has written; told to the nodes after the commit. */
  appended: { events: number; revoked: Revocation[] };
};

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
  let db: TenantDb | undefined;
  const ctx: Ctx = {
    ...caller,
    log,
    services,
    // Bound when first used: most requests only read a page, which needs no Prisma.
    get db() {
      return (db ??= bindToWorkspace(database.prisma, caller.workspaceId));
    },
    read: database.read,
    readShared: database.readShared,
    now,
    signal: null,
    transaction: (work) => transact(services, ctx, work),
  };
  return ctx;
}

/** Runs a transaction, again where PostgreSQL ended it to break a deadlock. */
async function transact<Result>(
  services: Services,
  ctx: Ctx,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const appended: Transaction["appended"] = { events: 0, revoked: [] };
    try {
      const result = await ctx.db.$transaction((db) => work({ db, ctx, appended }), {
        maxWait: 5000,
        timeout: 15_000,
      });
      const { events, revoked } = appended;
      if (events + revoked.length > 0) services.live.committed(ctx.workspaceId, revoked);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || failureOf(error) !== "conflict") throw error;
    }
  }
}

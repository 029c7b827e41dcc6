import pg from "pg";
import type { Logger } from "pino";
import type { Run, Statement } from "./sql.ts";
import { toQueryConfig } from "./to-query-config.ts";

/** The live channel's own connections, so that it never waits for requests. */
export type LiveDatabase = {
  run: Run;
  /**
   * Listens for notifications on its own connection until stopped. Reconnects when the connection is lost.
   */
  listen: (channel: string, listener: Listener) => { stop: () => Promise<void> };
  /** Changes the port of new connections, for the same database. */
  moveTo: (url: string) => void;
  close: () => Promise<void>;
};

/** The callbacks of a listener. */
export type Listener = {
  onMessage: (payload: string) => void;
  /** Called when listening starts or resumes. Earlier notifications may be lost. */
  onListening: () => void;
  /** Called when the connection is lost. */
  onDisconnect: () => void;
};

const CONNECTIONS = 5;
const BACK_OFF_MS = { first: 50, longest: 2000 };

/** Opens the live channel's connections to a PostgreSQL URL. Connects at first use. */
export function openLiveDatabase(url: string, log: Logger): LiveDatabase {
  // Notifications need not survive a crash, so their commits don't wait for the disk.
  const options = "-c synchronous_commit=off";
  let target = url;
  const pool = new pg.Pool({
    connectionString: target,
    max: CONNECTIONS,
    application_name: "agent-ops-live",
    connectionTimeoutMillis: 2000,
    statement_timeout: 4000,
    // Also applies if the network does not answer at all.
    query_timeout: 4000,
    options,
  });
  pool.on("error", (error) => log.debug({ err: error }, "an idle connection of the live channel was lost"));
  return {
    run: async <Row extends object>(statement: Statement<Row>, values: readonly unknown[]) => {
      const { rows } = await pool.query<Row>(toQueryConfig(statement, values));
      return rows;
    },
    listen: (channel, listener) => listen(() => target, { channel, listener, log }),
    moveTo: (moved) => {
      target = moved;
      pool.options.connectionString = moved;
    },
    close: () => pool.end(),
  };
}

type ListenOptions = { channel: string; listener: Listener; log: Logger };

function listen(url: () => string, options: ListenOptions): { stop: () => Promise<void> } {
  const { channel, listener, log } = options;
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let backOffMs = BACK_OFF_MS.first;

  function start(): void {
    const opened = openListener(url());
    client = opened;
    opened.once("end", () => handleDisconnect(opened));
    opened.on("notification", ({ payload }) => listener.onMessage(payload ?? ""));
    connectAndListen(opened).catch((error: unknown) => {
      log.debug({ err: error }, "can't listen for notifications at the moment");
      handleDisconnect(opened);
    });
  }

  async function connectAndListen(opened: pg.Client): Promise<void> {
    await opened.connect();
    await opened.query(`LISTEN ${channel}`);
    backOffMs = BACK_OFF_MS.first;
    listener.onListening();
  }

  function handleDisconnect(gone: pg.Client): void {
    if (stopped || gone !== client) return;
    client = undefined;
    listener.onDisconnect();
    gone.end().catch(() => {});
    retry = setTimeout(start, backOffMs);
    backOffMs = Math.min(backOffMs * 2, BACK_OFF_MS.longest);
  }

  start();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

function openListener(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: "agent-ops-listen",
    connectionTimeoutMillis: 2000,
    keepAlive: true,
  });
  // Handled by its "end" event.
  client.on("error", () => {});
  return client;
}

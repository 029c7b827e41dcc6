import pg from "pg";
import type { Logger } from "pino";

/** Connections of the live channel's own, so that it never waits behind requests. */
export type LiveDatabase = {
  /** Runs one prepared statement. */
  read: <Row extends object>(
    statement: { name: string; text: string },
    values: readonly unknown[],
  ) => Promise<Row[]>;
  /** Hears notifications on a connection of their own until it is stopped. Connects again whenever that is lost. */
  listen: (channel: string, listener: Listener) => { stop: () => Promise<void> };
  /** Where connections go from now on: the same database, on another port. */
  moveTo: (url: string) => void;
  close: () => Promise<void>;
};

/** Whoever hears notifications. */
export type Listener = {
  onMessage: (payload: string) => void;
  /** Told whenever it hears anew: what was sent before is lost. */
  onListening: () => void;
  /** Told whenever it hears nothing any more, until it hears anew. */
  onDisconnect: () => void;
};

const CONNECTIONS = 5;
const BACK_OFF_MS = { first: 50, longest: 2000 };

/** Opens the live channel's connections to the database at a PostgreSQL URL. Connects when first used. */
export function openLiveDatabase(url: string, log: Logger): LiveDatabase {
  // A hint is no truth that has to survive a crash, so its commit waits for no disk.
  const options = "-c synchronous_commit=off";
  let target = url;
  const pool = new pg.Pool({
    connectionString: target,
    max: CONNECTIONS,
    application_name: "agent-ops-live",
    connectionTimeoutMillis: 2000,
    statement_timeout: 4000,
    // Also where the network answers nothing at all.
    query_timeout: 4000,
    options,
  });
  pool.on("error", (error) => log.debug({ err: error }, "an idle connection of the live channel was lost"));
  return {
    read: async <Row extends object>(
      statement: { name: string; text: string },
      values: readonly unknown[],
    ) => {
      const { rows } = await pool.query<Row>({ ...statement, values: [...values] });
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
      log.debug({ err: error }, "notifications can't be heard at this moment");
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
  // Its end tells.
  client.on("error", () => {});
  return client;
}

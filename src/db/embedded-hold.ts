import { realpath } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { ClusterState } from "./embedded-cluster.ts";
import { hasCode } from "./embedded-run.ts";

/** The name of the server's database. */
export const databaseName = "agent_ops";

/** A connection that marks the server as in use for other processes. `isLost` becomes true when it breaks. */
export type Hold = { client: Client; socket: Socket; isLost: boolean };

// Held in shared mode by every process that uses the server, and exclusively by the one that stops it.
const lockKey = 4_762_001;

/**
 * Connects and marks the server as in use, creating the database if necessary.
 *
 * @returns `foreign` if the port belongs to another cluster.
 * @throws {Error} of PostgreSQL or the socket, if it does not answer.
 */
export async function hold(state: ClusterState, data: string): Promise<Hold | "foreign"> {
  try {
    return await connectAndHold(state, data);
  } catch (error) {
    if (!hasCode(error, "3D000")) throw error;
    await createDatabase(state);
    return await connectAndHold(state, data);
  }
}

/** Whether the server still answers on the connection. */
export async function isHoldConnected(held: Hold): Promise<boolean> {
  if (held.isLost) return false;
  return await held.client.query("SELECT 1").then(
    () => !held.isLost,
    () => false,
  );
}

/**
 * Releases the connection's mark. Returns true if no other process uses the server or can start to: then
 * the caller must stop it.
 */
export async function isLast(held: Hold): Promise<boolean> {
  await held.client.query("SELECT pg_advisory_unlock_shared($1)", [lockKey]);
  const lock = await held.client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
    lockKey,
  ]);
  if (lock.rows[0]?.locked !== true) return false;
  // Connections that the caller has just closed are listed for a moment longer.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await countOthers(held.client)) === 0) return true;
    await delay(25);
  }
  return false;
}

/** Closes the connection in any state. */
export async function closeHold({ client, socket }: Pick<Hold, "client" | "socket">): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const timer = setTimeout(() => socket.destroy(), 1_000);
  // Not awaited: after a failed log-in it never settles.
  client.end().catch(() => undefined);
  await closed;
  clearTimeout(timer);
}

async function connectAndHold(state: ClusterState, data: string): Promise<Hold | "foreign"> {
  const { client, socket } = createConnection(state, databaseName);
  const held = { client, socket, isLost: false };
  function markLost(): void {
    held.isLost = true;
  }
  client.on("error", markLost).on("end", markLost);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    const served = await realpath(rows[0]?.data_directory ?? "").catch(() => undefined);
    if (served !== data) {
      await closeHold(held);
      return "foreign";
    }
    await client.query("SELECT pg_advisory_lock_shared($1)", [lockKey]);
    // Must not keep the process running.
    socket.unref();
    return held;
  } catch (error) {
    await closeHold(held);
    throw error;
  }
}

async function createDatabase(state: ClusterState): Promise<void> {
  const { client, socket } = createConnection(state, "postgres");
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (error) {
    // Another process created it first.
    if (!hasCode(error, "42P04", "23505")) throw error;
  } finally {
    await closeHold({ client, socket });
  }
}

async function countOthers(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  return rows[0]?.count ?? 0;
}

function createConnection(state: ClusterState, database: string): { client: Client; socket: Socket } {
  const socket = new Socket();
  const client = new Client({
    host: "127.0.0.1",
    port: state.port,
    user: state.user,
    password: state.password,
    database,
    ssl: false,
    application_name: "agent-ops-hold",
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    stream: () => socket,
  });
  return { client, socket };
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { ListenerOrder, Report } from "./live-listener.ts";

/** The measured workspace and its database. */
export type Ours = { workspaceId: string; apiKey: string; pool: pg.Pool; databaseUrl: string };

/** The environment of a measured server. */
export function getEnvironment({ databaseUrl }: Pick<Ours, "databaseUrl">): Record<string, string> {
  return { DATABASE_URL: databaseUrl, PORT: "0", RATE_LIMIT: "0", DEMO: "0", LOG_LEVEL: "warn" };
}

/** A process with many sockets that count what arrives. */
export type ListenerProcess = { ask: (order: ListenerOrder) => Promise<Report>; stop: () => void };

export function startListener(): ListenerProcess {
  const listener = fork(fileURLToPath(new URL("live-listener.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  const failed = once(listener, "exit").then(([code]): never => {
    throw new Error(`the listener ended with ${code}`);
  });
  failed.catch(() => {});
  return {
    ask: async (order) => {
      listener.send(order);
      // The listener responds to each order with one report.
      const [report] = (await Promise.race([once(listener, "message"), failed])) as [Report];
      return report;
    },
    stop: () => void listener.kill(),
  };
}

const SOCKETS_PER_TOKEN = 90;

/** Mints enough socket tokens for this many sockets. */
export async function mintTokens(url: string, apiKey: string, sockets: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let made = 0; made * SOCKETS_PER_TOKEN < sockets; made++) {
    const minted = await post(url, "/api/v1/agent_tokens", apiKey);
    tokens.push((await post(url, "/api/v1/socket_tokens", minted.token)).token);
  }
  return tokens;
}

async function post(url: string, path: string, bearer: string): Promise<{ token: string }> {
  const answer = await fetch(url + path, { method: "POST", headers: { authorization: `Bearer ${bearer}` } });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`);
  // Both routes return a token.
  return (await answer.json()) as { token: string };
}

/** The first message of the socket with this index. */
export function createInitMessage(tokens: readonly string[], index: number): string {
  const token = tokens[index % tokens.length];
  return JSON.stringify({ type: "connection_init", payload: { token } });
}

/** Subscribes to tasks after a cursor. Default: from now on. */
export function subscribeText(after: string | null = null): string {
  const query = `subscription ($after: Cursor) { events(after: $after, types: ["task.*"]) {
  __typename ... on Event { cursor seq id type subjectUuid data occurredAt }
} }`;
  return JSON.stringify({
    id: "0199f0c2-7d5a-7cc1",
    type: "subscribe",
    payload: { query, variables: { after } },
  });
}

const APPEND = `
WITH head AS (UPDATE workspace_head SET seq = seq + $2::int WHERE workspace_id = $1 RETURNING seq - $2::int AS base)
INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
SELECT $1, base + n, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(),
  '{"type":"system","id":null,"name":"bench"}', jsonb_build_object('at', $3::float8, 'status', 'working'), clock_timestamp()
FROM head, generate_series(1, $2::int) n`;

/** Writes events that contain their creation time. */
export async function appendEvents({ pool, workspaceId }: Ours, count: number): Promise<void> {
  await pool.query(APPEND, [workspaceId, count, performance.timeOrigin + performance.now()]);
}

/** Notifies all nodes of new events. */
export async function notifyAt({ pool, workspaceId }: Ours): Promise<void> {
  const notification = JSON.stringify({ node: "bench", ids: [workspaceId], revoked: false });
  await pool.query("SELECT pg_notify('agent_ops_live', $1)", [notification]);
}

/** A process's memory in kB. Linux only. */
export function rssKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** The quantile of sorted values. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

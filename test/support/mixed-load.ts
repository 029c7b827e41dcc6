import type pg from "pg";
import { expect } from "vitest";
import type { EventReader } from "./event-reader.ts";
import { userBody } from "./scim-world.ts";
import { type TestClient, createTestClient } from "./test-client.ts";

const LISTS = ["tasks", "agents", "operator/robots", "operator/missions", "messages"];

export type Keys = { api_key: string; scim_token: string };

/** What clients did, and what went wrong. */
export type Load = {
  requests: number;
  created: string[];
  completed: string[];
  users: number;
  failures: string[];
};

/** A node with its clients. */
export type LoadedNode = { url: string; agent: TestClient; directory: TestClient };

export function createLoad(): Load {
  return { requests: 0, created: [], completed: [], users: 0, failures: [] };
}

export function connectTo(url: string, keys: Keys): LoadedNode {
  return {
    url,
    agent: createTestClient(url, keys.api_key),
    directory: createTestClient(url, keys.scim_token),
  };
}

/** A client's turn: it creates a task and a user, reads lists, claims a task on one node and completes it on another. */
export async function takeTurn(load: Load, pick: () => LoadedNode): Promise<void> {
  async function ask(client: TestClient, path: string, body?: object) {
    load.requests += 1;
    const method = body === undefined ? "GET" : "POST";
    const answer = await client.send(path, { method, body }).catch((error: unknown) => {
      load.failures.push(`${method} ${path} ${String(error)}`);
    });
    if (answer === undefined) return undefined;
    if (answer.status < 400) return answer.body;
    load.failures.push(`${method} ${path} ${answer.status} ${answer.text}`);
    return undefined;
  }
  const made = await ask(pick().agent, "/api/v1/tasks", { title: "A task", queue: "mixed" });
  if (made !== undefined) load.created.push(made.task.id);
  for (const list of LISTS) await ask(pick().agent, `/api/v1/${list}?limit=3`);
  const user = await ask(pick().directory, "/scim/v2/Users", userBody());
  if (user !== undefined) load.users += 1;
  const claimed = await ask(pick().agent, "/api/v1/tasks/claim", { queues: ["mixed"] });
  if (claimed?.task === undefined) return;
  const { id } = claimed.task;
  const done = await ask(pick().agent, `/api/v1/tasks/${id}/complete`, { lease_token: claimed.lease.token });
  if (done !== undefined) load.completed.push(id);
}

/** Expects that nothing failed, and that a reader of events since `first` got each one once and in order. */
export async function expectWhole(
  load: Load,
  { database, reader, first }: { database: pg.Client; reader: EventReader; first: number },
): Promise<void> {
  const { rows } = await database.query<{ seq: number; type: string; subject: string }>(
    "SELECT seq::int, type::text, subject_id::text AS subject FROM event ORDER BY seq",
  );
  // Agents see nothing of the directory's users.
  const shown = rows.filter(({ seq, type }) => seq > first && !type.startsWith("user."));
  const last = shown.at(-1)?.seq ?? 0;
  await reader.reached(last);
  function subjectsOf(type: string) {
    return rows.filter((row) => row.type === type).map(({ subject }) => subject);
  }
  expect(load.failures).toEqual([]);
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: rows.length }, (_one, index) => index + 1));
  expect(reader.resets).toEqual([]);
  expect(reader.seqs.filter((seq) => seq <= last)).toEqual(shown.map(({ seq }) => seq));
  expect(subjectsOf("task.created").toSorted()).toEqual(load.created.toSorted());
  expect(subjectsOf("task.completed").toSorted()).toEqual(load.completed.toSorted());
  expect(new Set(load.completed).size).toBe(load.completed.length);
  expect(load.completed.length).toBeGreaterThan(10);
  const { rows: users } = await database.query('SELECT count(*)::int AS users FROM "user"');
  expect(users).toEqual([{ users: load.users }]);
}

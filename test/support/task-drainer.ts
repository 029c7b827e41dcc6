/**
 * A process with five workers that claim tasks over HTTP, have the effect of each (a line with the task's id and the
 * fencing token) and complete it. It runs until killed.
 *
 *     node --import tsx test/support/task-drainer.ts <server URL> <bearer> <queue>
 */
import { writeSync } from "node:fs";

const WORKERS = 5;
const [url = "", bearer = "", queue = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };

async function post(path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/tasks/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function work(): Promise<never> {
  for (;;) {
    const claimed = await post("claim", { queues: [queue], lease_s: 10, wait: 25 });
    if (claimed.status !== 200) continue;
    // The claim's response is documented in openapi.json.
    const { task, lease } = (await claimed.json()) as {
      task: { id: string };
      lease: { token: string; attempt: number };
    };
    writeSync(1, `${task.id} ${lease.attempt}\n`);
    await post(`${task.id}/complete`, { lease_token: lease.token, output: { attempt: lease.attempt } });
  }
}

await Promise.all(Array.from({ length: WORKERS }, work));

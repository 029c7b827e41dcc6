import { Agent, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request } from "./measure.ts";
import type { MeasuredProcess } from "./processes.ts";

export type Latencies = { p50Ms: number; p99Ms: number };

type Pace = { seconds: number; perSecond: number };

/**
 * Sends requests one by one at a steady pace, whether or not earlier ones were answered, and measures how long each
 * takes. @throws {Error} if one is not answered with 200.
 */
export async function measureLatency(
  subject: MeasuredProcess,
  request: Request,
  { seconds, perSecond }: Pace,
): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true });
  const startedMs = performance.now();
  const answers: Promise<number>[] = [];
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const leftMs = startedMs + (sent / perSecond) * 1000 - performance.now();
    if (leftMs > 0) await sleep(leftMs);
    answers.push(ask(subject, agent, request));
  }
  const sorted = (await Promise.all(answers)).toSorted((a, b) => a - b);
  agent.destroy();
  return { p50Ms: getPercentile(sorted, 0.5), p99Ms: getPercentile(sorted, 0.99) };
}

/** @returns milliseconds. */
async function ask(
  { name, url }: MeasuredProcess,
  agent: Agent,
  { path, headers, body }: Request,
): Promise<number> {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const startedMs = performance.now();
  const options = {
    agent,
    method: bytes === null ? "GET" : "POST",
    headers: {
      ...headers,
      ...(bytes !== null && { "content-type": "application/json", "content-length": bytes.length }),
    },
  };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    send(url + path, options, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    })
      .once("error", reject)
      .end(bytes ?? undefined);
  });
  if (status !== 200) throw new Error(`${name} answered ${status ?? ""} to ${path}`);
  return performance.now() - startedMs;
}

function getPercentile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

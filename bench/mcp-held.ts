import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { call } from "./call.ts";
import { logIn, post } from "./gateway-approvals.ts";
import { type McpSeed, SLUG } from "./mcp-seed.ts";
import { type MeasuredProcess, cpuMs } from "./processes.ts";

const AGENTS = 10;
/** A credential can have so many. */
const HELD_OF_AGENT = 100;
const IDLE_SECONDS = 5;
const BESIDE = 200;
/** Between two calls of each agent: more at once wait for too long. */
const BURST_MS = 250;
const POLL_MS = 500;
/** Approvals at once. */
const APPROVERS = 8;

/** Calls that policies hold for a person, a thousand at once: memory, CPU, how fast they end, and that each is made once. */
export async function measureHeld(
  ours: MeasuredProcess,
  upstreamUrl: string,
  { apiKey, approver }: McpSeed,
): Promise<void> {
  const cookie = await logIn(ours, approver);
  const tokens = await Promise.all(
    Array.from({ length: AGENTS }, (_, at) => mint(ours, apiKey, `held-${at}`)),
  );
  const count = AGENTS * HELD_OF_AGENT;
  const [memory, calls] = [readMemory(ours), await countCalls(upstreamUrl)];
  const answers: Promise<string>[] = [];
  for (let order = 0; order < HELD_OF_AGENT; order++) {
    for (const token of tokens) answers.push(callTool(ours, token, { amount: 9000, order: `A-${order}` }));
    await setTimeout(BURST_MS);
  }
  const pending = await Promise.race([waitForPending(ours, cookie, count), failEarly(answers)]);
  print("memory of a held call, KiB", ((readMemory(ours) - memory) / count / 1024).toFixed(0), "<= 64");
  print("CPU while they are held, of a core", `${(await measureIdle(ours)).toFixed(1)} %`, "<= 0.5 %");
  const beside = await measureBeside(ours, await mint(ours, apiKey, "beside"));
  print("p99 of a call beside them, ms", beside.toFixed(0), "<= 100");
  const startedMs = performance.now();
  await approveAll(ours, cookie, pending);
  const texts = await Promise.all(answers);
  print(
    "from the first approval to the last answer, ms",
    (performance.now() - startedMs).toFixed(0),
    "<= 3000",
  );
  const unmade = texts.find((text) => !text.includes("paid 9000"));
  if (unmade !== undefined) throw new Error(`a held call was not made: ${unmade}`);
  print("calls that the server got", (await countCalls(upstreamUrl)) - calls - BESIDE, `= ${count}`);
}

function print(what: string, value: string | number, target: string): void {
  process.stdout.write(`${count(what)} | ${value} | ${target}\n`);
}

function count(what: string): string {
  return `${AGENTS * HELD_OF_AGENT} held: ${what}`;
}

export async function mint({ url }: MeasuredProcess, apiKey: string, handle: string): Promise<string> {
  const minted = await call(`${url}/api/v1/agent_tokens`, { bearer: apiKey, body: { agent: { handle } } });
  return (minted as { token: string }).token;
}

const agent = new Agent({ keepAlive: true });

/** @returns the answer, an event stream if the call was held. */
async function callTool({ url }: MeasuredProcess, token: string, args: object): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "refund", arguments: args },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    "content-length": Buffer.byteLength(body),
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/mcp/proxy/${SLUG}`, { agent, method: "POST", headers }, resolve)
      .once("error", reject)
      .end(body);
  });
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  return text;
}

/** Before anybody has approved, no call may end. */
async function failEarly(answers: readonly Promise<string>[]): Promise<never> {
  throw new Error(`a call was not held: ${await Promise.race(answers)}`);
}

/** Waits until all are pending. @returns their ids. */
async function waitForPending({ url }: MeasuredProcess, cookie: string, wanted: number): Promise<string[]> {
  for (;;) {
    const ids: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const answer = await fetch(
        `${url}/api/v1/operator/approvals?status=pending&limit=100&offset=${offset}`,
        { headers: { cookie } },
      );
      const { approvals } = (await answer.json()) as { approvals: { id: string }[] };
      ids.push(...approvals.map(({ id }) => id));
      if (approvals.length < 100) break;
    }
    if (ids.length >= wanted) return ids;
    await setTimeout(POLL_MS);
  }
}

/** @returns bytes. */
function readMemory({ pid }: MeasuredProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** @returns percent of a core. */
async function measureIdle({ pid }: MeasuredProcess): Promise<number> {
  const before = cpuMs(pid);
  await setTimeout(IDLE_SECONDS * 1000);
  return (cpuMs(pid) - before) / (IDLE_SECONDS * 10);
}

/** One call after the other that policies allow. @returns milliseconds. */
async function measureBeside(ours: MeasuredProcess, token: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < BESIDE; at++) {
    const startedMs = performance.now();
    const text = await callTool(ours, token, { amount: 90 });
    if (!text.includes("paid 90")) throw new Error(`a call was answered by ${text}`);
    times.push(performance.now() - startedMs);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(BESIDE * 0.99)] ?? NaN;
}

async function approveAll(ours: MeasuredProcess, cookie: string, ids: readonly string[]): Promise<void> {
  const left = ids.values();
  async function approve(): Promise<void> {
    for (const id of left) await post(ours, `/api/v1/operator/approvals/${id}/approve`, cookie);
  }
  await Promise.all(Array.from({ length: APPROVERS }, approve));
}

async function countCalls(upstreamUrl: string): Promise<number> {
  return Number(await (await fetch(upstreamUrl)).text());
}

import { pino } from "pino";
import { WebSocket } from "ws";
import { openServices } from "../src/app.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { toGlobalId } from "../src/schema/global-id.ts";
import { type Subject, cpuMs, startSubject } from "./processes.ts";

const PER_SECOND = Number(process.env["BENCH_RATE"] ?? 200);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 15);
const AGENTS = Number(process.env["BENCH_AGENTS"] ?? 40);
/** Seconds at the start that are not counted. */
const WARM = 3;
const TARGET_MS = 100;

/** How long it takes from when a command is sent to the service until its agent's acknowledgement is answered, over two nodes. */
export async function commandsBench(): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const ours = { DATABASE_URL: embedded.url, NODE_ENV: "production", PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
  const nodes: Subject[] = [];
  try {
    const apiKey = await seed(embedded.url);
    for (const name of ["first", "second"]) nodes.push(await startSubject(name, ["dist/src/main.js"], ours));
    print(["delivered by", "commands/s", "p50 ms", "p99 ms", "target p99", "worst ms", "Node ms a command"]);
    for (const [name, connect] of [
      ["long poll", pollingAgent],
      ["socket", socketAgent],
    ] as const) {
      await measure(name, { nodes, apiKey, connect });
    }
  } finally {
    for (const node of nodes) await node.stop();
    await embedded.stop();
  }
}

async function seed(databaseUrl: string): Promise<string> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), pino({ level: "silent" }));
  const { apiKey } = await createWorkspace(services, { name: "Commands" });
  await services.close();
  return apiKey;
}

/** An agent that acknowledges what it gets and reports it done. `acknowledged` is told when that is answered. */
type Agent = { id: string; stop: () => void };
type Connect = (
  url: string,
  bearer: string,
  acknowledged: (id: string) => void,
) => Promise<{ stop: () => void }>;
type Setting = { nodes: Subject[]; apiKey: string; connect: Connect };

async function measure(name: string, { nodes, apiKey, connect }: Setting): Promise<void> {
  const sent = new Map<string, number>();
  const early = new Map<string, number>();
  const times: number[] = [];
  function acknowledged(id: string): void {
    const startedMs = sent.get(id);
    // Its agent may be quicker than the answer to who issued it.
    if (startedMs === undefined) early.set(id, performance.now());
    else times.push(performance.now() - startedMs);
  }
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index++) {
    const url = nodeOf(nodes, index);
    const minted = await post(`${url}/api/v1/agent_tokens`, apiKey, {
      agent: { handle: `${name.replace(" ", "-")}-${index}` },
    });
    const { agent_id: id, token } = minted as { agent_id: string; token: string };
    agents.push({ id, ...(await connect(url, token, acknowledged)) });
  }
  const cpuBefore = nodes.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const issued: Promise<void>[] = [];
  const total = PER_SECOND * (SECONDS + WARM);
  const begunMs = performance.now();
  for (let index = 0; index < total; index++) {
    const dueMs = begunMs + (index * 1000) / PER_SECOND;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // The other node than the agent's, half of the time.
    issued.push(issue(nodeOf(nodes, index >> 1), agents[index % AGENTS]?.id ?? "").catch(refused));
  }
  await Promise.all(issued);
  await until(() => times.length >= total, 10_000);
  const nodeMs = nodes.reduce((sum, { pid }) => sum + cpuMs(pid), -cpuBefore) / total;
  for (const { stop } of agents) stop();
  const counted = times.slice(PER_SECOND * WARM);
  const perSecond = (total / (performance.now() - begunMs)) * 1000;
  const [half, high, worst] = [0.5, 0.99, 1].map((share) => quantile(counted, share).toFixed(1));
  print([
    name,
    perSecond.toFixed(0),
    half ?? "",
    high ?? "",
    `< ${TARGET_MS}`,
    worst ?? "",
    nodeMs.toFixed(2),
  ]);
  if (times.length < total) print([`${total - times.length} commands were not acknowledged`]);

  async function issue(url: string, agentId: string): Promise<void> {
    const startedMs = performance.now();
    const order = { agent_id: agentId, type: "custom.turn", params: { by: 90 } };
    const answer = await post(`${url}/api/v1/operator/agent_commands`, apiKey, order);
    const [command] = (answer as { agent_commands: { id: string }[] }).agent_commands;
    if (command === undefined) throw new Error("nothing was issued");
    const doneMs = early.get(command.id);
    if (doneMs === undefined) sent.set(command.id, startedMs);
    else times.push(doneMs - startedMs);
  }
}

/** What was refused is missed among the acknowledged. */
function refused(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

function nodeOf(nodes: Subject[], index: number): string {
  return nodes[index % nodes.length]?.url ?? "";
}

async function pollingAgent(
  url: string,
  bearer: string,
  acknowledged: (id: string) => void,
): Promise<{ stop: () => void }> {
  let stopped = false;
  async function poll(): Promise<void> {
    while (!stopped) {
      const answer = await get(`${url}/api/v1/agent_commands/next?wait=5`, bearer);
      const { agent_commands: commands } = (answer ?? { agent_commands: [] }) as {
        agent_commands: { id: string }[];
      };
      for (const { id } of commands) {
        const own = `${url}/api/v1/agent_commands/${id}`;
        await post(`${own}/ack`, bearer, { outcome: "accepted" });
        acknowledged(id);
        post(`${own}/result`, bearer, { status: "succeeded" }).catch(refused);
      }
    }
  }
  poll().catch(refused);
  return { stop: () => (stopped = true) };
}

type Message = { type: string; id?: string; payload?: { data: { agentCommands?: { uuid?: string } } } };

const COMMANDS = "subscription { agentCommands { ... on AgentCommand { uuid } } }";
const ACK =
  "mutation ($id: ID!) { ackAgentCommand(input: { id: $id, outcome: ACCEPTED }) { agentCommand { status } } }";
const RESULT =
  "mutation ($id: ID!) { reportAgentCommandResult(input: { id: $id, status: SUCCEEDED }) { agentCommand { status } } }";

async function socketAgent(
  url: string,
  bearer: string,
  acknowledged: (id: string) => void,
): Promise<{ stop: () => void }> {
  const { token } = (await post(`${url}/api/v1/socket_tokens`, bearer, {})) as { token: string };
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  function send(message: object): void {
    socket.send(JSON.stringify(message));
  }
  function call(id: string, query: string, uuid: string): void {
    const variables = { id: toGlobalId("AgentCommand", uuid) };
    send({ id, type: "subscribe", payload: { query, variables } });
  }
  socket.once("open", () => send({ type: "connection_init", payload: { token } }));
  const subscribed = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      // Messages of graphql-transport-ws.
      const { type, id = "", payload } = JSON.parse(data.toString()) as Message;
      if (type === "connection_ack")
        send({ id: "commands", type: "subscribe", payload: { query: COMMANDS } });
      if (type === "ping") send({ type: "pong" });
      if (type !== "next") return;
      if (id === "commands") {
        resolve();
        const uuid = payload?.data.agentCommands?.uuid;
        if (uuid !== undefined) call(`ack ${uuid}`, ACK, uuid);
      } else if (id.startsWith("ack ")) {
        acknowledged(id.slice(4));
        call(`result ${id.slice(4)}`, RESULT, id.slice(4));
      }
    });
  });
  await subscribed;
  return { stop: () => socket.terminate() };
}

async function get(address: string, bearer: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${bearer}` } });
  return answer.status === 204 ? null : answer.json();
}

async function post(address: string, bearer: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function until(isSo: () => boolean, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!isSo() && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 50));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(cells: readonly (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}

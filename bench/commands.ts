import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { WebSocket } from "ws";
import { openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { toGlobalId } from "../src/schema/global-id.ts";
import { call } from "./call.ts";
import { type MeasuredProcess, cpuMs, postgresCpuMs, startSubject } from "./processes.ts";

const PER_SECOND = Number(process.env["BENCH_RATE"] ?? 200);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 15);
const AGENTS = Number(process.env["BENCH_AGENTS"] ?? 40);
/** Seconds at the start that are not measured, because new processes still compile their code. */
const WARM = 10;
const TARGET_MS = 100;

/** The time from issuing a command to the response to its agent's acknowledgement, over two nodes. */
export async function commandsBench(): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const ours = { DATABASE_URL: embedded.url, NODE_ENV: "production", PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
  const nodes: MeasuredProcess[] = [];
  const pidFile = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
  const postmaster = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  try {
    const apiKey = await seed(embedded.url);
    for (const name of ["first", "second"]) nodes.push(await startSubject(name, ["dist/src/main.js"], ours));
    print([
      "delivered by",
      "commands/s",
      "p50 ms",
      "p99 ms",
      "target p99",
      "worst ms",
      "Node ms a command",
      "PostgreSQL ms",
    ]);
    for (const [name, connect] of [
      ["long poll", pollingAgent],
      ["socket", socketAgent],
    ] as const) {
      await measure(name, { nodes, apiKey, connect, postmaster });
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

/** Connects an agent. It acknowledges commands, calls `acknowledged` after the response, and reports success. */
type Connect = (agent: AgentAt) => Promise<{ stop: () => void }>;
type AgentAt = { url: string; bearer: string; acknowledged: (id: string) => void };
type Agent = { id: string; stop: () => void };
type Setting = { nodes: MeasuredProcess[]; apiKey: string; connect: Connect; postmaster: number };

async function measure(name: string, setting: Setting): Promise<void> {
  const { nodes, apiKey } = setting;
  const clock = createClock();
  const agents = await connectAgents(name, setting, clock.ended);
  const before = usedMs(setting);
  const total = PER_SECOND * (SECONDS + WARM);
  const begunMs = performance.now();
  const issued: Promise<void>[] = [];
  for (let index = 0; index < total; index++) {
    const waitMs = begunMs + (index * 1000) / PER_SECOND - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Half of the commands are issued on a different node than the agent's.
    const order = { url: pickNode(nodes, index >> 1), agentId: agents[index % AGENTS]?.id ?? "" };
    issued.push(issue(order, apiKey, clock.begun).catch(reportError));
  }
  await Promise.all(issued);
  await waitUntil(() => clock.times.length >= total, 10_000);
  const perSecond = (clock.times.length / (performance.now() - begunMs)) * 1000;
  const after = usedMs(setting);
  for (const { stop } of agents) stop();
  const counted = clock.times.slice(PER_SECOND * WARM);
  const [half = "", high = "", worst = ""] = [0.5, 0.99, 1].map((share) =>
    quantile(counted, share).toFixed(1),
  );
  const each = [after.node - before.node, after.postgres - before.postgres].map((ms) =>
    (ms / total).toFixed(2),
  );
  print([name, perSecond.toFixed(0), half, high, `< ${TARGET_MS}`, worst, ...each]);
  if (clock.times.length < total) print([`${total - clock.times.length} commands were not acknowledged`]);
}

function usedMs({ nodes, postmaster }: Setting): { node: number; postgres: number } {
  return {
    node: nodes.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    postgres: postgresCpuMs(postmaster),
  };
}

async function connectAgents(
  name: string,
  { nodes, apiKey, connect }: Setting,
  acknowledged: (id: string) => void,
): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index++) {
    const url = pickNode(nodes, index);
    const handle = `${name.replace(" ", "-")}-${index}`;
    const minted = await call(`${url}/api/v1/agent_tokens`, { bearer: apiKey, body: { agent: { handle } } });
    // Documented in openapi.json.
    const { agent_id: id, token: bearer } = minted as { agent_id: string; token: string };
    agents.push({ id, ...(await connect({ url, bearer, acknowledged })) });
  }
  return agents;
}

/** Times each command. Its start and end may be reported in any order, as an agent can be faster than the response. */
function createClock() {
  const begunMs = new Map<string, number>();
  const endedMs = new Map<string, number>();
  const times: number[] = [];
  function pair(id: string): void {
    const [from, to] = [begunMs.get(id), endedMs.get(id)];
    if (from !== undefined && to !== undefined) times.push(to - from);
  }
  return {
    times,
    begun: (id: string, atMs: number) => {
      begunMs.set(id, atMs);
      pair(id);
    },
    ended: (id: string) => {
      endedMs.set(id, performance.now());
      pair(id);
    },
  };
}

async function issue(
  { url, agentId }: { url: string; agentId: string },
  apiKey: string,
  begun: (id: string, atMs: number) => void,
): Promise<void> {
  const startedMs = performance.now();
  const order = { agent_id: agentId, type: "custom.turn", params: { by: 90 } };
  const answer = await call(`${url}/api/v1/operator/agent_commands`, { bearer: apiKey, body: order });
  // Documented in openapi.json.
  const [command] = (answer as { agent_commands: { id: string }[] }).agent_commands;
  if (command !== undefined) begun(command.id, startedMs);
}

/** Rejected commands show up as not acknowledged. */
function reportError(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

function pickNode(nodes: MeasuredProcess[], index: number): string {
  return nodes[index % nodes.length]?.url ?? "";
}

async function pollingAgent({ url, bearer, acknowledged }: AgentAt): Promise<{ stop: () => void }> {
  const stopping = new AbortController();
  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const answer = await call(`${url}/api/v1/agent_commands/next?wait=5`, { bearer });
      const { agent_commands: commands } = (answer ?? { agent_commands: [] }) as {
        agent_commands: { id: string }[];
      };
      for (const { id } of commands) {
        const own = `${url}/api/v1/agent_commands/${id}`;
        await call(`${own}/ack`, { bearer, body: { outcome: "accepted" } });
        acknowledged(id);
        call(`${own}/result`, { bearer, body: { status: "succeeded" } }).catch(reportError);
      }
    }
  }
  poll().catch(reportError);
  return { stop: () => stopping.abort() };
}

type Message = { type: string; id?: string; payload?: { data: { agentCommands?: { uuid?: string } } } };

const COMMANDS = "subscription { agentCommands { ... on AgentCommand { uuid } } }";
const ACK =
  "mutation ($id: ID!) { ackAgentCommand(input: { id: $id, outcome: ACCEPTED }) { agentCommand { status } } }";
const RESULT =
  "mutation ($id: ID!) { reportAgentCommandResult(input: { id: $id, status: SUCCEEDED }) { agentCommand { status } } }";

async function socketAgent({ url, bearer, acknowledged }: AgentAt): Promise<{ stop: () => void }> {
  const { token } = (await call(`${url}/api/v1/socket_tokens`, { bearer, body: {} })) as { token: string };
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  function send(message: object): void {
    socket.send(JSON.stringify(message));
  }
  function operate(id: string, query: string, uuid: string): void {
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
        if (uuid !== undefined) operate(`ack ${uuid}`, ACK, uuid);
      } else if (id.startsWith("ack ")) {
        acknowledged(id.slice(4));
        operate(`result ${id.slice(4)}`, RESULT, id.slice(4));
      }
    });
  });
  await subscribed;
  return { stop: () => socket.terminate() };
}

async function waitUntil(isSo: () => boolean, timeoutMs: number): Promise<void> {
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

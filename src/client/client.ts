import { hostname } from "node:os";
import { isPassing } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import type { CommandLoop } from "./command-run.ts";
import { handleCommands } from "./commands.ts";
import { type Log, logToStandardError, watchContact } from "./contact.ts";
import { type BearerSource, createFixedBearer, createMintedBearer } from "./bearer-source.ts";
import { type EventFrame, type FollowEventsOptions, followEvents } from "./events.ts";
import { createHeldTasks } from "./held-tasks.ts";
import { type Send, type Sender, createSend } from "./request.ts";
import { type TaskLoop, workTasks } from "./tasks.ts";

export { ApiError } from "./api-error.ts";
export type { Schemas } from "./api-types.ts";
export type { CommandLoop } from "./command-run.ts";
export type { Log } from "./contact.ts";
export type { EventFrame } from "./events.ts";
export type { TaskLoop } from "./tasks.ts";

/** Where the service is, and as whom to come. */
export type ClientOptions = {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** The workspace's API key, where `agent` is given; else any bearer. */
  token: string;
  /** The agent to be: an access token is minted for it with the key, renewed in time, and revoked at the end. */
  agent?: Schemas["NewAgentToken"]["agent"];
  /** What the agent may do; all that the key may where it is left out. */
  scopes?: NonNullable<Schemas["NewAgentToken"]["scopes"]>;
  /** Told what the client does and what goes wrong, one line a call; standard error where it is left out. */
  log?: Log;
  /** Instead of Node's own. */
  fetch?: typeof fetch;
};

/** An agent's way to the service. */
export type Client = {
  /** Sends one request of /api/v1, by its method and path. */
  send: Send;
  /** Mints an access token. Only an API key may. */
  mint: (asked: Schemas["NewAgentToken"]) => Promise<Schemas["IssuedAgentToken"]>;
  /** Claims tasks and works on them until its signal is given. */
  workTasks: (loop: TaskLoop) => Promise<void>;
  /** Carries out the agent's commands until its signal is given. */
  handleCommands: (loop: CommandLoop) => Promise<void>;
  /** The workspace's events, from a cursor on. */
  events: (wanted?: FollowEventsOptions) => AsyncGenerator<EventFrame, void>;
  /**
   * Revokes the access token that was minted, where there is one; what is sent later mints another. It is called by
   * itself when no tasks are worked on and no commands carried out any more.
   */
  close: () => Promise<void>;
};

/** An agent that dies without a word leaves a token for so long at most. */
const TOKEN_SECONDS = 6 * 3600;
const REVOKE_TIMEOUT_MS = 5000;

/**
 * Makes a client of the service at an address. It connects when it is first used.
 *
 * @throws {TypeError} for what is no address, and without a token.
 */
export function createClient(options: ClientOptions): Client {
  const { token, agent, log = logToStandardError } = options;
  const url = options.url.replace(/(?<!\/)\/+$/, "");
  if (!/^https?:\/\//.test(url))
    throw new TypeError(`url must begin with http:// or https://, not be ${url}`);
  if (!token) throw new TypeError("token must be an API key (agk_…) or an access token (agt_…)");
  const sender = { url, fetch: options.fetch ?? fetch, contact: watchContact(url, log) };
  const sendAsKey = createSend({ ...sender, credential: createFixedBearer(token) });
  const credential = agent === undefined ? createFixedBearer(token) : agentCredential(sender, options);
  const send = createSend({ ...sender, credential });
  const shop = { send, held: createHeldTasks() };
  const during = callAfterLast(credential.end);
  const name = agent?.handle ?? "the client";
  return {
    send,
    mint: (asked) => sendAsKey("POST /agent_tokens", { body: asked }),
    workTasks: async (loop) => {
      log(`${name} works on tasks of ${(loop.queues ?? ["default"]).join(", ")} at ${url}`);
      await during(workTasks(shop, { onError: createReporter(log, "task"), ...loop }));
    },
    handleCommands: async (loop) => {
      log(`${name} carries out commands of ${url}`);
      await during(handleCommands(shop, { onError: createReporter(log, "command"), ...loop }));
    },
    events: (wanted = {}) => followEvents(send, wanted),
    close: credential.end,
  };
}

function agentCredential(
  sender: Omit<Sender, "credential">,
  { token: key, agent, scopes }: ClientOptions,
): BearerSource {
  const sendAsKey = createSend({ ...sender, credential: createFixedBearer(key) });
  const body = {
    ...(agent && { agent }),
    ...(scopes && { scopes }),
    // Lives before this one may have left theirs.
    ...{ expires_in: TOKEN_SECONDS, revoke_oldest: true, name: `${hostname()} ${process.pid}`.slice(-100) },
  };
  return createMintedBearer({
    mint: async (signal) => {
      const minted = await sendAsKey("POST /agent_tokens", { body, signal, again: false });
      return { token: minted.token, lifeMs: minted.expires_in * 1000 };
    },
    revoke: async (token) => {
      const sendAsAgent = createSend({ ...sender, credential: createFixedBearer(token) });
      const signal = AbortSignal.timeout(REVOKE_TIMEOUT_MS);
      // Where that fails it ends by itself.
      await sendAsAgent("POST /tokens/revoke", { body: { token }, signal, again: false }).catch(() => {});
    },
  });
}

/** Calls `end` when the last of all that run has ended. */
function callAfterLast(end: () => Promise<void>): (work: Promise<void>) => Promise<void> {
  let running = 0;
  return async (work) => {
    running++;
    try {
      await work;
    } finally {
      running--;
      if (running === 0) await end();
    }
  };
}

/** That the service is away is told elsewhere, once. */
function createReporter(log: Log, what: string): (error: unknown, about: { id: string } | null) => void {
  return (error, about) => {
    if (isPassing(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    log(about === null ? message : `${what} ${about.id}: ${message}`);
  };
}

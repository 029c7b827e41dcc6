import type { Schemas } from "./api-types.ts";
import type { CommandLoop } from "./command-run.ts";
import { handleCommands } from "./commands.ts";
import { fixedCredential, mintedCredential } from "./credential.ts";
import { type EventFrame, type EventsWanted, followEvents } from "./events.ts";
import { type Send, createSend } from "./request.ts";
import { type TaskLoop, workTasks } from "./tasks.ts";

/** Where the service is, and as whom to come. */
export type ClientOptions = {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** The workspace's API key, where `agent` is given; else any bearer. */
  token: string;
  /** The agent to be: an access token is minted for it with the key, and renewed in time. */
  agent?: Schemas["NewAgentToken"]["agent"];
  /** What the agent may do; all that the key may where it is left out. */
  scopes?: string[];
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
  events: (wanted?: EventsWanted) => AsyncGenerator<EventFrame, void>;
};

/**
 * Makes a client of the service at an address. It connects when it is first used.
 *
 * @throws {TypeError} for what is no address.
 */
export function createClient(options: ClientOptions): Client {
  const { token, agent, scopes } = options;
  const url = options.url.replace(/(?<!\/)\/+$/, "");
  if (!/^https?:\/\//.test(url))
    throw new TypeError(`url must begin with http:// or https://, not be ${url}`);
  const sender = { url, fetch: options.fetch ?? fetch };
  const sendAsKey = createSend({ ...sender, credential: fixedCredential(token) });
  const credential = mintedCredential(async (signal) => {
    const body = { ...(agent && { agent }), ...(scopes && { scopes }) };
    const minted = await sendAsKey("POST /agent_tokens", { body, signal, again: false });
    return { token: minted.token, lifeMs: minted.expires_in * 1000 };
  });
  const send = agent === undefined ? sendAsKey : createSend({ ...sender, credential });
  return {
    send,
    mint: (asked) => sendAsKey("POST /agent_tokens", { body: asked }),
    workTasks: (loop) => workTasks(send, loop),
    handleCommands: (loop) => handleCommands(send, loop),
    events: (wanted = {}) => followEvents(send, wanted),
  };
}

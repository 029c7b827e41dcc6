import { hostname } from "node:os";
import { isPassing } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { type CheckOptions, check } from "./check.ts";
import type { CommandLoop } from "./command-run.ts";
import { handleCommands } from "./commands.ts";
import { type Log, logToStandardError, watchContact } from "./contact.ts";
import { type BearerSource, createFixedBearer, createMintedBearer } from "./bearer-source.ts";
import { type EventFrame, type FollowEventsOptions, followEvents } from "./events.ts";
import { type GatedCall, type GatedOptions, type Perform, createGated } from "./gated.ts";
import { createHeldTasks } from "./held-tasks.ts";
import { type Send, type Sender, createSend } from "./request.ts";
import { type TaskLoop, workTasks } from "./tasks.ts";
import { type Workload, exchangeWorkloadToken } from "./workload-token.ts";

export { ApiError } from "./api-error.ts";
export type { Schemas } from "./api-types.ts";
export type { CheckOptions } from "./check.ts";
export type { CommandLoop } from "./command-run.ts";
export type { Log } from "./contact.ts";
export type { EventFrame } from "./events.ts";
export { type OpenSpanProcessor, createOpenSpanProcessor } from "./open-spans.ts";
export type { TraceContext } from "./trace-context.ts";
export { DeniedError, type GatedCall, type GatedOptions, type GatedRun, type Perform } from "./gated.ts";
export type { TaskLoop } from "./tasks.ts";
export type { Workload } from "./workload-token.ts";

export type ClientOptions = {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** An API key if `agent` is given, else any bearer token. Required without `workload`. */
  token?: string;
  /**
   * A workload that exchanges its issuer's token for access tokens, which are renewed and revoked automatically.
   * Default, without `token`: the environment's AGENT_OPS_TOKEN_FILE and AGENT_OPS_TRUST_ID, if both are set.
   */
  workload?: Workload;
  /** The agent to act as. Mints an access token for it with the API key, and renews and revokes it automatically. */
  agent?: Schemas["NewAgentToken"]["agent"];
  /** The agent's scopes. Default: all scopes of the API key. */
  scopes?: NonNullable<Schemas["NewAgentToken"]["scopes"]>;
  /** Called with what the client does and what goes wrong, one line per call. Default: standard error. */
  log?: Log;
  /** Replaces the global fetch. */
  fetch?: typeof fetch;
};

export type Client = {
  /** Sends a request to /api/v1, by method and path. */
  send: Send;
  /** Mints an access token. Requires an API key. */
  mint: (asked: Schemas["NewAgentToken"]) => Promise<Schemas["IssuedAgentToken"]>;
  /**
   * Asks whether a request is allowed, and waits for people if they have to decide. Act only if `status` is `allowed`,
   * and report how the check's `execution` ended, if it has one.
   */
  check: (request: Schemas["AccessRequest"], options?: CheckOptions) => Promise<Schemas["GatewayCheck"]>;
  /**
   * Returns a function that performs a tool's calls only if policies, and where they ask people, allow exactly these
   * arguments. It reports how each ended, and throws a `DeniedError` for a call that isn't allowed.
   */
  gated: <Arguments extends Record<string, unknown>, Result>(
    tool: string,
    perform: Perform<Arguments, Result>,
    options?: GatedOptions<Arguments>,
  ) => (args: Arguments, call?: GatedCall) => Promise<Result>;
  /** Claims and handles tasks until its signal is aborted. */
  workTasks: (loop: TaskLoop) => Promise<void>;
  /** Executes the agent's commands until its signal is aborted. */
  handleCommands: (loop: CommandLoop) => Promise<void>;
  /** Follows the workspace's events. */
  events: (wanted?: FollowEventsOptions) => AsyncGenerator<EventFrame, void>;
  /**
   * Revokes the minted access token, if any. A later request mints a new one. Called automatically when the last
   * `workTasks` or `handleCommands` has ended.
   */
  close: () => Promise<void>;
};

/** A crashed agent's token stays valid for at most this long. */
const TOKEN_SECONDS = 6 * 3600;
const REVOKE_TIMEOUT_MS = 5000;

/**
 * Creates a client. It connects on first use.
 *
 * @throws {TypeError} for an invalid URL or a missing token.
 */
export function createClient(options: ClientOptions): Client {
  const { agent, log = logToStandardError } = options;
  const url = options.url.replace(/(?<!\/)\/+$/, "");
  if (!/^https?:\/\//.test(url))
    throw new TypeError(`url must begin with http:// or https://, but is ${url}`);
  const sender = { url, fetch: options.fetch ?? fetch, contact: watchContact(url, log) };
  const given = getGivenCredential(sender, options);
  const credential = agent === undefined ? given : agentCredential(sender, options, given);
  const send = createSend({ ...sender, credential });
  const shop = { send, held: createHeldTasks() };
  const during = callAfterLast(credential.end);
  const name = agent?.handle ?? "the client";
  return {
    send,
    mint: (asked) => createSend({ ...sender, credential: given })("POST /agent_tokens", { body: asked }),
    check: (request, asked) => check(send, request, asked),
    gated: (tool, perform, gatedOptions = {}) =>
      createGated({ send, log }, { tool, perform, options: gatedOptions }),
    workTasks: async (loop) => {
      log(`${name} is working on tasks from ${(loop.queues ?? ["default"]).join(", ")} at ${url}`);
      await during(workTasks(shop, { onError: createReporter(log, "task"), ...loop }));
    },
    handleCommands: async (loop) => {
      log(`${name} is executing commands from ${url}`);
      await during(handleCommands(shop, { onError: createReporter(log, "command"), ...loop }));
    },
    events: (wanted = {}) => followEvents(send, wanted),
    close: credential.end,
  };
}

type Unsigned = Omit<Sender, "credential">;

/** The token, or those that the workload gets. */
function getGivenCredential(sender: Unsigned, { token, workload: given }: ClientOptions): BearerSource {
  if (token) return createFixedBearer(token);
  const workload = given ?? readWorkload();
  if (workload === null)
    throw new TypeError("token must be an API key (agk_…) or an access token (agt_…), or workload be given");
  return createMintedBearer({
    mint: (signal) => exchangeWorkloadToken(sender, workload, signal),
    revoke: (minted) => revokeToken(sender, minted),
  });
}

function readWorkload(): Workload | null {
  // oxlint-disable-next-line node/no-process-env, eslint/no-restricted-properties -- the package has no configuration of its own
  const { AGENT_OPS_TOKEN_FILE: tokenFile, AGENT_OPS_TRUST_ID: trustId } = process.env;
  return tokenFile && trustId ? { tokenFile, trustId } : null;
}

function agentCredential(
  sender: Unsigned,
  { agent, scopes }: ClientOptions,
  credential: BearerSource,
): BearerSource {
  const sendAsKey = createSend({ ...sender, credential });
  const body = {
    ...(agent && { agent }),
    ...(scopes && { scopes }),
    // Earlier runs that crashed may have left their tokens.
    expires_in: TOKEN_SECONDS,
    revoke_oldest: true,
    name: `${hostname()} ${process.pid}`.slice(-100),
  };
  return createMintedBearer({
    mint: async (signal) => {
      const minted = await sendAsKey("POST /agent_tokens", { body, signal, again: false });
      return { token: minted.token, lifeMs: minted.expires_in * 1000 };
    },
    revoke: (token) => revokeToken(sender, token),
  });
}

async function revokeToken(sender: Unsigned, token: string): Promise<void> {
  const sendAsAgent = createSend({ ...sender, credential: createFixedBearer(token) });
  const signal = AbortSignal.timeout(REVOKE_TIMEOUT_MS);
  // If this fails, the token expires by itself.
  await sendAsAgent("POST /tokens/revoke", { body: { token }, signal, again: false }).catch(() => {});
}

/** Calls `end` when all tracked work has ended. */
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

/** Logs errors, except connection errors, which are logged elsewhere. */
function createReporter(log: Log, what: string): (error: unknown, about: { id: string } | null) => void {
  return (error, about) => {
    if (isPassing(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    log(about === null ? message : `${what} ${about.id}: ${message}`);
  };
}

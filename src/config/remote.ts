import { ConfigError } from "./config.ts";
import type { EnvProblem } from "./env.ts";

/** A server's URL and a token for it. */
export type RemoteConfig = {
  /** Without a trailing slash. */
  url: string;
  token: string;
};

/**
 * Reads the server that the command line calls over HTTP. Other variables are ignored.
 *
 * @throws {ConfigError} names every invalid variable.
 */
export function readRemoteConfig(strings: Record<string, string | undefined>): RemoteConfig {
  const { AGENT_OPS_URL: url = "", AGENT_OPS_TOKEN: token = "" } = strings;
  const problems = listUrlProblems(url);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.push({ variable: "AGENT_OPS_TOKEN", problem: "must be an API key or an access token" });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { url: trimUrl(url), token };
}

function listUrlProblems(url: string): EnvProblem[] {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return [];
  return [{ variable: "AGENT_OPS_URL", problem: "must be the http or https URL of the server" }];
}

function trimUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

/** A server's URL, and what a workload exchanges for an access token of it. */
export type WorkloadConfig = { url: string; tokenFile: string; trustId: string };

/** Given on the command line, instead of the environment. */
export type WorkloadOptions = { tokenFile?: string; trust?: string };

/**
 * Reads the server and the workload's trust and token file.
 *
 * @throws {ConfigError} names every invalid variable.
 */
export function readWorkloadConfig(
  strings: Record<string, string | undefined>,
  options: WorkloadOptions,
): WorkloadConfig {
  const { AGENT_OPS_URL: url = "", AGENT_OPS_TOKEN_FILE, AGENT_OPS_TRUST_ID } = strings;
  const tokenFile = options.tokenFile ?? AGENT_OPS_TOKEN_FILE ?? "";
  const trustId = options.trust ?? AGENT_OPS_TRUST_ID ?? "";
  const problems = listUrlProblems(url);
  if (tokenFile === "")
    problems.push({ variable: "AGENT_OPS_TOKEN_FILE", problem: "must be the file with the issuer's token" });
  if (trustId === "")
    problems.push({ variable: "AGENT_OPS_TRUST_ID", problem: "must be the id of the workload's trust" });
  if (problems.length > 0) throw new ConfigError(problems);
  return { url: trimUrl(url), tokenFile, trustId };
}

export function readProcessWorkloadConfig(options: WorkloadOptions): WorkloadConfig {
  return readWorkloadConfig(process.env, options);
}

export function readProcessRemoteConfig(): RemoteConfig {
  return readRemoteConfig(process.env);
}

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
  const problems: EnvProblem[] = [];
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    problems.push({ variable: "AGENT_OPS_URL", problem: "must be the http or https URL of the server" });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.push({ variable: "AGENT_OPS_TOKEN", problem: "must be an API key or an access token" });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { url: url.replace(/(?<!\/)\/+$/, ""), token };
}

export function readProcessRemoteConfig(): RemoteConfig {
  return readRemoteConfig(process.env);
}

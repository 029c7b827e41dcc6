import { ConfigError } from "./config.ts";
import type { EnvProblem } from "./env.ts";

/** A service somewhere, and as whom to come to it. */
export type RemoteConfig = {
  /** Without a trailing slash. */
  url: string;
  token: string;
};

/**
 * Reads where the command line finds the service that it talks to over HTTP: nothing else of the environment
 * is of use there.
 *
 * @throws {ConfigError} that names every variable that can't be used.
 */
export function readRemoteConfig(strings: Record<string, string | undefined>): RemoteConfig {
  const { AGENT_OPS_URL: url = "", AGENT_OPS_TOKEN: token = "" } = strings;
  const problems: EnvProblem[] = [];
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    problems.push({ variable: "AGENT_OPS_URL", problem: "must be the http or https URL of the service" });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.push({ variable: "AGENT_OPS_TOKEN", problem: "must be an API key or an access token" });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { url: url.replace(/(?<!\/)\/+$/, ""), token };
}

/** The same from this process's environment. */
export function readProcessRemoteConfig(): RemoteConfig {
  return readRemoteConfig(process.env);
}

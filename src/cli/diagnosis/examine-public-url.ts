import type { Config } from "../../config/config.ts";
import { type Finding, fail, ok, warn } from "../../db/diagnosis/finding.ts";
import { type Reached, request } from "./request.ts";

/** Asks the servers at PUBLIC_BASE_URL whether they are ready, as people and agents reach them. */
export async function examinePublicUrl(config: Config, signal: AbortSignal): Promise<Finding[]> {
  const { publicBaseUrl: url } = config;
  if (url === null) return [examineMissing(config)];
  const answer = await request(`${url}/readyz`, { signal });
  return [examineAnswer(url, answer), examineProxy(url, config)];
}

function examineMissing({ host, port }: Config): Finding {
  const found = `links lead to ${host}:${port}, where the server listens`;
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(host);
  return isLocal
    ? ok("public_url", found)
    : warn("public_url", found, "Set PUBLIC_BASE_URL: browsers can't log in from elsewhere.");
}

function examineAnswer(url: string, answer: Reached): Finding {
  const check = "public_url";
  if ("problem" in answer)
    return fail(
      check,
      `${url} can't be reached: ${answer.problem}`,
      "Check its DNS, its certificate and the proxy.",
    );
  const { status, body } = answer;
  // Another server's page could be there.
  const isOurs = /^\{"status":"\w+"/.test(body);
  if (isOurs && status === 200) return ok(check, `${url} is ready`);
  if (isOurs)
    return fail(
      check,
      `${url} is not ready (${status})`,
      "Look at the servers' logs, and whether they reach the database.",
    );
  return fail(
    check,
    `${url} answers with ${status}, which is not from Agent Ops`,
    "Let the proxy pass on all paths and the Host header, and add the host to ALLOWED_HOSTS.",
  );
}

function examineProxy(url: string, { trustedProxies }: Config): Finding {
  const check = "proxy";
  if (url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    return warn(check, `${url} is not encrypted`, "Put a proxy with TLS before the servers: see deploy/.");
  if (url.startsWith("https:") && trustedProxies.length === 0)
    return warn(
      check,
      "no proxy is trusted, so that all clients have its address",
      "Set TRUSTED_PROXIES to its address: limits of log-ins and sockets count by client.",
    );
  return ok(
    check,
    trustedProxies.length === 0 ? "none is needed" : `${trustedProxies.join(", ")} is trusted`,
  );
}

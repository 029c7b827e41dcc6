import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createClientAddress } from "../../src/http/client-address.ts";
import type { HttpEnv } from "../../src/http/request.ts";

/** The client address for a peer and X-Forwarded-For. */
async function readAddress(proxies: string[], peer: string, forwarded?: string): Promise<string> {
  const app = new Hono<HttpEnv>().get("/", (c) => c.text(createClientAddress(proxies)(c) ?? ""));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const answer = await app.request("/", { headers }, { incoming: { socket: { remoteAddress: peer } } });
  return answer.text();
}

describe("createClientAddress", () => {
  const proxies = ["10.0.0.0/8", "192.0.2.1", "fd00::/8"];

  it.each([
    ["no proxy is trusted", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["the peer is not a trusted proxy", proxies, "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["the peer is a trusted proxy", proxies, "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["the caller forged earlier entries", proxies, "10.1.2.3", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
    [
      "several trusted proxies are in the chain",
      proxies,
      "10.1.2.3",
      "198.51.100.1, 192.0.2.1, 10.9.9.9",
      "198.51.100.1",
    ],
    ["all are trusted proxies", proxies, "10.1.2.3", "10.0.0.7", "10.0.0.7"],
    ["there is no header", proxies, "10.1.2.3", undefined, "10.1.2.3"],
    ["the last entry is invalid", proxies, "10.1.2.3", "198.51.100.1, <script>", "10.1.2.3"],
    ["entries have ports", proxies, "10.1.2.3", "[2001:db8::1]:443, 10.2.2.2:80", "2001:db8::1"],
    ["the peer uses IPv6", proxies, "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["the proxy uses IPv6", proxies, "fd00::5", "2001:db8::7", "2001:db8::7"],
  ])("when %s", async (...row) => {
    const [, trusted, peer, forwarded, expected] = row;
    expect(await readAddress(trusted, peer, forwarded)).toBe(expected);
  });
});

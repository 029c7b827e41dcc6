import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { parseNetwork } from "../../src/http/network.ts";

const NETWORKS = [
  "10.0.0.1",
  "10.0.0.0/8",
  "0.0.0.0/0",
  "::1",
  "2001:db8::/32",
  "::/0",
  "::ffff:10.0.0.0/104",
];
const OTHERS = [
  ...["/", "/8", "10.0.0", "10.0.0.1/", "10.0.0.1/33", "10.0.0.1/08", "10.0.0.0/-1", "10.0.0.0/8/8"],
  ...["10.0.0.0/x", "10.0.0.0/1e1", "2001:db8::/129", "[::1]", "localhost"],
];

/** Whether the server starts with this TRUSTED_PROXIES. */
function isConfigured(text: string): boolean {
  try {
    readConfig({ TRUSTED_PROXIES: text });
    return true;
  } catch {
    return false;
  }
}

describe("parseNetwork", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1", "10.0.0.2"],
    ["10.1.2.3/8", "10.255.0.1", "11.0.0.1"],
    ["10.0.0.0/8", "::ffff:10.1.2.3", "::ffff:11.1.2.3"],
    ["10.0.0.0/8", "::ffff:a01:203", "::10.1.2.3"],
    ["0.0.0.0/0", "::ffff:1.2.3.4", "2001:db8::1"],
    ["2001:db8::/32", "2001:DB8:0:1::9", "2001:db9::1"],
    ["::/0", "2001:db8::1", "10.0.0.1"],
    ["::/0", "::10.0.0.1", "::ffff:10.0.0.1"],
    ["::ffff:10.0.0.0/104", "10.1.2.3", "11.1.2.3"],
    ["::ffff:0:0/96", "192.0.2.1", "2001:db8::1"],
    ["::1", "0:0:0:0:0:0:0:1", "127.0.0.1"],
  ])("parses %s, which contains %s but not %s", (text, inside, outside) => {
    const network = parseNetwork(text);
    expect([network?.(inside), network?.(outside), network?.("nonsense")]).toEqual([true, false, false]);
  });

  it.each([...OTHERS, "", " 10.0.0.1"])("rejects %j", (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it.each([...NETWORKS, ...OTHERS])("parses %j like TRUSTED_PROXIES", (text) => {
    expect(isConfigured(text)).toBe(parseNetwork(text) !== null);
  });
});

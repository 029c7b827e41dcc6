import { describe, expect, it } from "vitest";
import { listeningUrl } from "../../src/http/listening-url.ts";

describe("listeningUrl", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:4000"],
    ["ops.example.com", "http://ops.example.com:4000"],
    ["::1", "http://[::1]:4000"],
    ["fe80::1", "http://[fe80::1]:4000"],
    ["::", "http://localhost:4000"],
    ["0.0.0.0", "http://localhost:4000"],
  ])("of %s is %s", (host, url) => {
    expect(listeningUrl(host, 4000)).toBe(url);
    expect(new URL(url).port).toBe("4000");
  });
});

import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/config/logger.ts";
import { instrument } from "../../src/http/instrument.ts";
import type { HttpEnv } from "../../src/http/request.ts";

const TOKEN = "b4Qm9sVt2xKp7LdR1wYc8ZnH5uJf3GaE6oTi0";

/** The path in the log for a request. */
async function loggedPath(path: string): Promise<unknown> {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line: string) => void lines.push(line) });
  const app = new Hono<HttpEnv>();
  app.use(instrument(log, { baseUrl: () => "http://agent-ops.test", clientAddress: () => null }));
  await app.request(`http://agent-ops.test${path}`);
  return JSON.parse(lines[0] ?? "{}").path;
}

describe("instrument", () => {
  it.each([
    ["a-client.7", "a-client.7"],
    [`agk_${TOKEN}`, null],
    ["a b", null],
  ])("takes the client's id %s only if it is well-formed and no secret", async (given, taken) => {
    const app = new Hono<HttpEnv>();
    const log = createLogger("info", { write: () => {} });
    app.use(instrument(log, { baseUrl: () => "http://agent-ops.test", clientAddress: () => null }));
    const answer = await app.request("http://agent-ops.test/", { headers: { "x-request-id": given } });
    const id = answer.headers.get("x-request-id");
    if (taken === null) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    else expect(id).toBe(taken);
  });

  it.each([
    [`/users/reset-password/${TOKEN}`, "/users/reset-password/[redacted]"],
    [`/users/unsubscribe/${TOKEN}`, "/users/unsubscribe/[redacted]"],
    [`/users/reset-password/${TOKEN}/`, "/users/reset-password/[redacted]"],
    [`/users//reset-password//${TOKEN}`, "/users//reset-password//[redacted]"],
    [`//users/invitation///${TOKEN}/more`, "//users/invitation///[redacted]"],
    [`/Users/Confirm-Email/${TOKEN}`, "/Users/Confirm-Email/[redacted]"],
    ["/users/invitation/short", "/users/invitation/[redacted]"],
    [`/users/reset%2Dpassword/${TOKEN}`, null],
    [`/users%2Freset-password%2f${TOKEN}`, null],
    [`/users/reset-password/%0A${TOKEN}`, "/users/reset-password/[redacted]"],
    [`/api/v1/tasks/agk_${TOKEN}`, "/api/v1/tasks/[redacted]"],
  ])("logs %s without its secrets", async (path, logged) => {
    const written = await loggedPath(path);
    expect(written).not.toContain(TOKEN);
    expect(written).toContain("[redacted]");
    if (logged !== null) expect(written).toBe(logged);
  });

  it.each(["/users/log-in", "/users/reset-password/", "/settings/members/0192f", "/api/v1/tasks"])(
    "logs %s unchanged",
    async (path) => {
      expect(await loggedPath(path)).toBe(path);
    },
  );

  it("logs only the beginning of a very long path", async () => {
    const logged = String(await loggedPath(`/api/v1/${"a".repeat(5000)}`));
    expect(logged).toMatch(/^\/api\/v1\/a+…$/);
    expect(logged.length).toBeLessThan(1100);
  });

  it.each(["%2f", "/", "/users", "/users/", "/users%2f", "%2fusers", "users%2f%2f", "ag", "agk_", "/%"])(
    "logs a path of %s in linear time",
    { timeout: 2000 },
    async (part) => {
      for (const before of ["/", "/users", "/users/a"]) {
        for (const after of ["", "\n", "x"]) {
          expect(await loggedPath(before + part.repeat(2000 / part.length) + after)).toBeTypeOf("string");
        }
      }
    },
  );
});

import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "../../src/config/config.ts";

const DATABASE_URL = "postgres://somebody@db.example.com/agent_ops";

function listProblems(strings: Record<string, string>): string[] {
  try {
    readConfig(strings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable }) => variable);
  }
}

describe("readConfig", () => {
  it("has a default for everything", () => {
    expect(readConfig({})).toMatchObject({
      development: false,
      port: 4000,
      host: "127.0.0.1",
      dataDir: path.resolve("data"),
      databaseUrl: null,
      publicBaseUrl: null,
      allowedHosts: [],
      demo: true,
      logLevel: "info",
      logFormat: null,
      rateLimit: 1000,
      trustedProxies: [],
      mail: { mailgun: null, from: "Agent Ops <no-reply@localhost>" },
      sessions: { maxDays: 90, requireConfirmed: false, requireMfa: false },
      passwordMin: 12,
      auditKey: null,
      auditEarlierKeys: [],
      secretsKeys: [],
      outboundAllow: [],
      metrics: null,
    });
  });

  it("reads what is set", () => {
    const config = readConfig({
      NODE_ENV: "development",
      PORT: "0",
      HOST: "0.0.0.0",
      METRICS_PORT: "9464",
      METRICS_HOST: "10.0.0.7",
      DATA_DIR: "/var/lib/agent-ops",
      DATABASE_URL,
      PUBLIC_BASE_URL: "https://ops.example.com//",
      ALLOWED_HOSTS: " ops.example.com, OPS.internal ,,",
      LOG_LEVEL: "silent",
      LOG_FORMAT: "pretty",
      RATE_LIMIT: "0",
      TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1, fd00::/8",
      MAILGUN_API_KEY: "key-1",
      MAILGUN_DOMAIN: "mg.example.com",
      MAIL_FROM: "Ops <ops@example.com>",
      REQUIRE_CONFIRMED: "1",
      REQUIRE_MFA: "true",
      SESSION_MAX_DAYS: "30",
      PASSWORD_MIN: "15",
      AUDIT_KEY: `${"A".repeat(43)}=`,
      SECRETS_KEY: `${"A".repeat(43)}=,${"B".repeat(43)}=`,
      OUTBOUND_ALLOW: "10.0.0.0/8, ::1",
      AUDIT_EARLIER_KEYS: `${"B".repeat(43)}, ${"-".repeat(43)}`,
    });
    expect(config).toMatchObject({
      development: true,
      port: 0,
      host: "0.0.0.0",
      metrics: { port: 9464, host: "10.0.0.7" },
      dataDir: "/var/lib/agent-ops",
      databaseUrl: DATABASE_URL,
      publicBaseUrl: "https://ops.example.com",
      allowedHosts: ["ops.example.com", "ops.internal"],
      auditEarlierKeys: ["B".repeat(43), "-".repeat(43)],
      logLevel: "silent",
      logFormat: "pretty",
      rateLimit: 0,
      trustedProxies: ["10.0.0.0/8", "192.0.2.1", "fd00::/8"],
      mail: {
        mailgun: { apiKey: "key-1", domain: "mg.example.com", baseUrl: "https://api.mailgun.net" },
        from: "Ops <ops@example.com>",
      },
      sessions: { maxDays: 30, requireConfirmed: true, requireMfa: true },
      passwordMin: 15,
      auditKey: `${"A".repeat(43)}=`,
      secretsKeys: [`${"A".repeat(43)}=`, `${"B".repeat(43)}=`],
      outboundAllow: ["10.0.0.0/8", "::1"],
    });
  });

  it("reads the scheme and the host of PUBLIC_BASE_URL in any case", () => {
    const { publicBaseUrl } = readConfig({ PUBLIC_BASE_URL: "HTTPS://Ops.Example.com:443/" });
    expect(publicBaseUrl).toBe("https://ops.example.com");
  });

  it("treats an empty variable as not set", () => {
    const names = [
      "PORT",
      "HOST",
      "DATA_DIR",
      "DATABASE_URL",
      "PUBLIC_BASE_URL",
      "ALLOWED_HOSTS",
      "DEMO",
      "LOG_LEVEL",
    ];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(readConfig({}));
  });

  it.each([
    [undefined, undefined, true],
    [undefined, DATABASE_URL, false],
    ["1", DATABASE_URL, true],
    ["true", DATABASE_URL, true],
    ["0", undefined, false],
    ["false", undefined, false],
  ])("decides on the demo if DEMO is %s and DATABASE_URL is %s: %s", (demo, url, expected) => {
    expect(readConfig({ DEMO: demo, DATABASE_URL: url }).demo).toBe(expected);
  });

  it("names every problem at once", () => {
    const broken = {
      PORT: "http",
      HOST: "a b",
      DATABASE_URL: "mysql://somebody@db/agent_ops",
      PUBLIC_BASE_URL: "ops.example.com",
      DEMO: "yes",
      LOG_LEVEL: "loud",
      RATE_LIMIT: "-1",
    };
    expect(listProblems(broken).toSorted()).toEqual(Object.keys(broken).toSorted());
    expect(() => readConfig(broken)).toThrow(/PORT .+\n.*/);
  });

  it.each([
    ["PORT", ["-1", "65536", "80.5", "0x50", " 80", "1e3"]],
    ["DIRECT_DATABASE_URL", ["mysql://db"]],
    ["REPLICA_DATABASE_URL", ["mysql://db"]],
    ["DATABASE_URL", ["postgres://", "localhost/agent_ops", "postgres://a b/c", "http://db"]],
    ["PUBLIC_BASE_URL", ["ftp://ops.example.com", "//ops.example.com", "https://"]],
    ["LOG_LEVEL", ["INFO", "trace2"]],
    ["LOG_FORMAT", ["JSON", "text"]],
    ["HOST", ["http://localhost", "localhost/"]],
    ["METRICS_PORT", ["-1", "65536", "x"]],
    ["METRICS_HOST", ["http://localhost", "localhost/"]],
    ["TRUSTED_PROXIES", ["10.0.0.0/33", "proxy.example.com", "10.0.0.0/8/8", "10.0.0.0/x", "fd00::/129"]],
    ["OUTBOUND_ALLOW", ["10.0.0.0/33", "tools.example.com", "*"]],
    ["SECRETS_KEY", ["short", `${"A".repeat(43)}= ${"A".repeat(43)}=`, `${"A".repeat(43)}=,short`]],
    ["MAIL_FROM", ["nobody", "Ops\r\nBcc: x@example.com"]],
    ["SESSION_MAX_DAYS", ["0", "3651", "90.5"]],
    ["PASSWORD_MIN", ["7", "65", "many"]],
    [
      "AUDIT_KEY",
      ["short", "x".repeat(43).replace("x", "-"), "A".repeat(44), "AA==", `${"A".repeat(43)}=\n`],
    ],
    ["AUDIT_EARLIER_KEYS", ["short", `${"A".repeat(43)}=`, `${"A".repeat(43)} ${"A".repeat(43)}`]],
    ["MAILGUN_BASE_URL", ["api.mailgun.net", "ftp://api.mailgun.net"]],
  ])("rejects an invalid %s", (variable, values) => {
    for (const value of values) expect(listProblems({ [variable]: value }), value).toEqual([variable]);
  });

  it.each([
    ["DIRECT_DATABASE_URL", "directDatabaseUrl"],
    ["REPLICA_DATABASE_URL", "replicaDatabaseUrl"],
  ] as const)("takes %s only beside another DATABASE_URL", (variable, name) => {
    const strings = { [variable]: DATABASE_URL };
    expect(() => readConfig(strings)).toThrow(/needs DATABASE_URL/);
    expect(() => readConfig({ ...strings, DATABASE_URL })).toThrow(/must differ from DATABASE_URL/);
    expect(listProblems({ ...strings, DATABASE_URL })).toEqual([variable]);
    const both = { ...strings, DATABASE_URL: "postgres://somebody@other/agent_ops" };
    expect(readConfig(both)[name]).toBe(DATABASE_URL);
  });

  it("requires both of Mailgun's key and domain, or none", () => {
    expect(listProblems({ MAILGUN_API_KEY: "key-1" })).toEqual(["MAILGUN_DOMAIN"]);
    expect(listProblems({ MAILGUN_DOMAIN: "mg.example.com" })).toEqual(["MAILGUN_API_KEY"]);
  });

  it.each(["AUDIT_KEY", "SECRETS_KEY"])("shows no value of %s, which is a secret", (variable) => {
    const secret = "hunter2hunter2hunter2hunter2";
    expect(() => readConfig({ [variable]: secret })).toThrow(expect.not.stringContaining("hunter2"));
  });

  it("shows no value of DATABASE_URL, which contains a password", () => {
    const secret = "mysql://somebody:hunter2hunter2@db/agent_ops";
    expect(() => readConfig({ DATABASE_URL: secret })).toThrow(expect.not.stringContaining("hunter2"));
  });
});

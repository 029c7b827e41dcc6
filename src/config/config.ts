import path from "node:path";
import { isIP } from "node:net";
import { type Env, type EnvProblem, readEnv } from "./env.ts";

/** Everything that the environment decides, checked and with its defaults. */
export type Config = {
  development: boolean;
  port: number;
  host: string;
  /** Where metrics are told, or null for nowhere. */
  metrics: { port: number; host: string } | null;
  /** Absolute. */
  dataDir: string;
  /** An external PostgreSQL, or null for the embedded one. */
  databaseUrl: string | null;
  /** Without a trailing slash, or null for the address that the server listens on. */
  publicBaseUrl: string | null;
  /** Host names that are answered; empty answers all. */
  allowedHosts: string[];
  /** Networks such as 10.0.0.0/8 whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  mail: MailConfig;
  sessions: SessionConfig;
  /** Code points that a new password has at least. */
  passwordMin: number;
  /** Whether an empty database is filled with a demo. */
  demo: boolean;
  /** 32 bytes as base64, of which the key that signs audit checkpoints is made; null for none. */
  auditKey: string | null;
  /** Public keys, as base64url, whose signatures in the audit log count as well: what AUDIT_KEY was before. */
  auditEarlierKeys: string[];
  logLevel: string;
  /** Requests a second for one credential; 0 is no limit. */
  rateLimit: number;
};

/** How letters leave. */
export type MailConfig = {
  /** Null keeps every letter as a file in the data folder. */
  mailgun: { apiKey: string; domain: string; baseUrl: string } | null;
  from: string;
};

/** How long people stay in, and who may come in. */
export type SessionConfig = {
  /** Days after which the password has to be given again, however often the session was reissued. */
  maxDays: number;
  /** Whether only confirmed accounts can log in. */
  requireConfirmed: boolean;
};

/** Thrown with every problem of the environment at once. */
export class ConfigError extends Error {
  readonly problems: EnvProblem[];

  constructor(problems: EnvProblem[]) {
    super(
      [
        "The environment has problems:",
        ...problems.map(({ variable, problem }) => `  ${variable} ${problem}`),
      ].join("\n"),
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws {ConfigError} that names every variable that can't be used.
 */
export function readConfig(strings: Record<string, string | undefined>): Config {
  const { env, problems } = readEnv(strings);
  problems.push(...crossCheck(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    development: env.NODE_ENV === "development",
    port: env.PORT ?? 4000,
    host: env.HOST ?? "127.0.0.1",
    metrics:
      env.METRICS_PORT === undefined
        ? null
        : { port: env.METRICS_PORT, host: env.METRICS_HOST ?? "127.0.0.1" },
    dataDir: path.resolve(env.DATA_DIR ?? "data"),
    databaseUrl: env.DATABASE_URL ?? null,
    publicBaseUrl:
      env.PUBLIC_BASE_URL === undefined ? null : new URL(env.PUBLIC_BASE_URL).href.replace(/(?<!\/)\/+$/, ""),
    allowedHosts: (env.ALLOWED_HOSTS ?? []).map((host) => host.toLowerCase()),
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    mail: getMailConfig(env),
    sessions: { maxDays: env.SESSION_MAX_DAYS ?? 90, requireConfirmed: env.REQUIRE_CONFIRMED ?? false },
    passwordMin: env.PASSWORD_MIN ?? 12,
    // A demo in somebody's own database is a surprise, so there it has to be asked for.
    demo: env.DEMO ?? env.DATABASE_URL === undefined,
    auditKey: env.AUDIT_KEY ?? null,
    auditEarlierKeys: env.AUDIT_EARLIER_KEYS ?? [],
    logLevel: env.LOG_LEVEL ?? "info",
    rateLimit: env.RATE_LIMIT ?? 1000,
  };
}

/** Reads the configuration from this process's environment. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

function getMailConfig(env: Env): MailConfig {
  const { MAILGUN_API_KEY: apiKey, MAILGUN_DOMAIN: domain } = env;
  return {
    mailgun:
      apiKey === undefined || domain === undefined
        ? null
        : { apiKey, domain, baseUrl: env.MAILGUN_BASE_URL ?? "https://api.mailgun.net" },
    from: env.MAIL_FROM ?? `Agent Ops <no-reply@${domain ?? "localhost"}>`,
  };
}

function crossCheck(env: Env): EnvProblem[] {
  const { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: proxies = [] } = env;
  const problems: EnvProblem[] = [];
  const wrong = proxies.find((proxy) => !isNetwork(proxy));
  if (wrong !== undefined) {
    problems.push({ variable: "TRUSTED_PROXIES", problem: `has ${wrong}, which is no address or network` });
  }
  if ((env.MAILGUN_API_KEY === undefined) !== (env.MAILGUN_DOMAIN === undefined)) {
    const missing = env.MAILGUN_DOMAIN === undefined ? "MAILGUN_DOMAIN" : "MAILGUN_API_KEY";
    problems.push({
      variable: missing,
      problem: "must be set too: Mailgun needs both the key and the domain",
    });
  }
  if (env.MAIL_FROM !== undefined && !/^[^\r\n]*[^@\s]@[^@\s]+$/.test(env.MAIL_FROM)) {
    problems.push({ variable: "MAIL_FROM", problem: "must be an address, or a name and <address>" });
  }
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\/[^\s]+$/.test(databaseUrl)) {
    problems.push({ variable: "DATABASE_URL", problem: "must start with postgres:// or postgresql://" });
  }
  for (const variable of ["HOST", "METRICS_HOST"] as const) {
    if (/[\s/]/.test(env[variable] ?? "")) {
      problems.push({ variable, problem: "must be a host name or an address" });
    }
  }
  return problems;
}

/** Whether a text is an address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...rest] = text.split("/");
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^(0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= bits;
}

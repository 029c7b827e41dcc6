import path from "node:path";
import { isIP } from "node:net";
import { type Env, type EnvProblem, readEnv } from "./env.ts";
import { type TracingConfig, readTracingConfig } from "./tracing-config.ts";

/** The configuration from the environment, validated and with defaults. */
export type Config = {
  development: boolean;
  port: number;
  host: string;
  /** Where metrics are served; null for nowhere. */
  metrics: { port: number; host: string } | null;
  /** Where the server's own traces are sent; null for nowhere. */
  tracing: TracingConfig | null;
  /** Absolute. */
  dataDir: string;
  /** An external PostgreSQL; null for the embedded one. */
  databaseUrl: string | null;
  /** The same database without a pooler, where databaseUrl is of one in transaction mode; else null. */
  directDatabaseUrl: string | null;
  /** A streaming replica, for what may be some seconds old; null if there is none. */
  replicaDatabaseUrl: string | null;
  /** Without a trailing slash; null for the address that the server listens on. */
  publicBaseUrl: string | null;
  /** Host names that are served. Empty serves all. */
  allowedHosts: string[];
  /** Networks such as 10.0.0.0/8 whose X-Forwarded-For header is trusted. */
  trustedProxies: string[];
  mail: MailConfig;
  sessions: SessionConfig;
  /** The minimum length of a new password in code points. */
  passwordMin: number;
  /** Whether an empty database is filled with demo data. */
  demo: boolean;
  /** The seed of the key that signs audit checkpoints: 32 bytes in base64; null for none. */
  auditKey: string | null;
  /**
   * Public keys in base64url whose signatures in the audit log are also trusted: those of earlier
   * AUDIT_KEYs.
   */
  auditEarlierKeys: string[];
  /** Keys that seal secrets in the database: 32 bytes in base64 each. The first one seals, all of them open. */
  secretsKeys: string[];
  /** Networks such as 10.0.0.0/8 that requests to others may reach besides the public ones, over http too. */
  outboundAllow: string[];
  logLevel: string;
  /** Null: pretty in a terminal, else JSON. */
  logFormat: "json" | "pretty" | null;
  /** Requests per second for one credential; 0 for no limit. */
  rateLimit: number;
  /** The largest body of telemetry, before and after decompression. */
  otlpMaxBytes: number;
};

/** How emails are sent. */
export type MailConfig = {
  /** Null writes each email to a file in the data folder. */
  mailgun: { apiKey: string; domain: string; baseUrl: string } | null;
  from: string;
};

/** The lifetime of sessions, and who can log in. */
export type SessionConfig = {
  /** Days after which the password must be entered again, even if the session was reissued. */
  maxDays: number;
  /** Whether only confirmed accounts can log in. */
  requireConfirmed: boolean;
  /** Whether people who log in by a password must have a second factor. */
  requireMfa: boolean;
};

/** Contains all problems of the environment. */
export class ConfigError extends Error {
  readonly problems: EnvProblem[];

  constructor(problems: EnvProblem[]) {
    super(
      [
        "Invalid environment variables:",
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
 * @throws {ConfigError} names every invalid variable.
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
    tracing: readTracingConfig(env),
    dataDir: path.resolve(env.DATA_DIR ?? "data"),
    databaseUrl: env.DATABASE_URL ?? null,
    directDatabaseUrl: env.DIRECT_DATABASE_URL ?? null,
    replicaDatabaseUrl: env.REPLICA_DATABASE_URL ?? null,
    publicBaseUrl:
      env.PUBLIC_BASE_URL === undefined ? null : new URL(env.PUBLIC_BASE_URL).href.replace(/(?<!\/)\/+$/, ""),
    allowedHosts: (env.ALLOWED_HOSTS ?? []).map((host) => host.toLowerCase()),
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    mail: getMailConfig(env),
    sessions: {
      maxDays: env.SESSION_MAX_DAYS ?? 90,
      requireConfirmed: env.REQUIRE_CONFIRMED ?? false,
      requireMfa: env.REQUIRE_MFA ?? false,
    },
    passwordMin: env.PASSWORD_MIN ?? 12,
    // An external database gets demo data only if DEMO asks for it.
    demo: env.DEMO ?? env.DATABASE_URL === undefined,
    auditKey: env.AUDIT_KEY ?? null,
    auditEarlierKeys: env.AUDIT_EARLIER_KEYS ?? [],
    secretsKeys: env.SECRETS_KEY ?? [],
    outboundAllow: env.OUTBOUND_ALLOW ?? [],
    logLevel: env.LOG_LEVEL ?? "info",
    logFormat: env.LOG_FORMAT ?? null,
    rateLimit: env.RATE_LIMIT ?? 1000,
    otlpMaxBytes: (env.OTLP_MAX_MIB ?? 16) * 1_048_576,
  };
}

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
  const problems: EnvProblem[] = [];
  for (const variable of ["TRUSTED_PROXIES", "OUTBOUND_ALLOW"] as const) {
    const wrong = env[variable]?.find((network) => !isNetwork(network));
    if (wrong !== undefined) {
      problems.push({ variable, problem: `contains ${wrong}, which is not an address or network` });
    }
  }
  if ((env.MAILGUN_API_KEY === undefined) !== (env.MAILGUN_DOMAIN === undefined)) {
    const missing = env.MAILGUN_DOMAIN === undefined ? "MAILGUN_DOMAIN" : "MAILGUN_API_KEY";
    problems.push({
      variable: missing,
      problem: "must be set too: Mailgun needs a key and a domain",
    });
  }
  if (env.MAIL_FROM !== undefined && !/^[^\r\n]*[^@\s]@[^@\s]+$/.test(env.MAIL_FROM)) {
    problems.push({ variable: "MAIL_FROM", problem: "must be an address, or a name and <address>" });
  }
  problems.push(...checkDatabase(env));
  for (const variable of ["HOST", "METRICS_HOST"] as const) {
    if (/[\s/]/.test(env[variable] ?? "")) {
      problems.push({ variable, problem: "must be a host name or an address" });
    }
  }
  return problems;
}

const DATABASES = ["DATABASE_URL", "DIRECT_DATABASE_URL", "REPLICA_DATABASE_URL"] as const;

function checkDatabase(env: Env): EnvProblem[] {
  const problems = DATABASES.filter(
    (variable) => !/^(postgres(ql)?:\/\/[^\s]+)?$/.test(env[variable] ?? ""),
  ).map((variable) => ({ variable, problem: "must start with postgres:// or postgresql://" }));
  if (problems.length > 0) return problems;
  const own = env.DATABASE_URL;
  return DATABASES.slice(1)
    .filter((variable) => env[variable] !== undefined && (own === undefined || env[variable] === own))
    .map((variable) => ({
      variable,
      problem:
        own === undefined ? "needs DATABASE_URL, of the same database" : "must differ from DATABASE_URL",
    }));
}

function isNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...rest] = text.split("/");
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^(0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= bits;
}

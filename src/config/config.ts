import path from "node:path";
import { type EnvProblem, readEnv } from "./env.ts";

/** Everything that the environment decides, checked and with its defaults. */
export type Config = {
  development: boolean;
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** An external PostgreSQL, or null for the embedded one. */
  databaseUrl: string | null;
  /** Without a trailing slash, or null for the address that the server listens on. */
  publicBaseUrl: string | null;
  /** Host names that are answered; empty answers all. */
  allowedHosts: string[];
  /** Whether an empty database is filled with a demo. */
  demo: boolean;
  logLevel: string;
  /** Requests a second for one credential; 0 is no limit. */
  rateLimit: number;
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
  problems.push(...crossChecks(env.DATABASE_URL, env.HOST));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    development: env.NODE_ENV === "development",
    port: env.PORT ?? 4000,
    host: env.HOST ?? "127.0.0.1",
    dataDir: path.resolve(env.DATA_DIR ?? "data"),
    databaseUrl: env.DATABASE_URL ?? null,
    publicBaseUrl: env.PUBLIC_BASE_URL?.replace(/\/+$/, "") ?? null,
    allowedHosts: (env.ALLOWED_HOSTS ?? []).map((host) => host.toLowerCase()),
    // A demo in somebody's own database is a surprise, so there it has to be asked for.
    demo: env.DEMO ?? env.DATABASE_URL === undefined,
    logLevel: env.LOG_LEVEL ?? "info",
    rateLimit: env.RATE_LIMIT ?? 1000,
  };
}

/** Reads the configuration from this process's environment. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

function crossChecks(databaseUrl: string | undefined, host: string | undefined): EnvProblem[] {
  const problems: EnvProblem[] = [];
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\/[^\s]+$/.test(databaseUrl)) {
    problems.push({ variable: "DATABASE_URL", problem: "must start with postgres:// or postgresql://" });
  }
  if (host !== undefined && /[\s/]/.test(host)) {
    problems.push({ variable: "HOST", problem: "must be a host name or an address" });
  }
  return problems;
}

import { z } from "zod";
import { SAMPLERS, parseHeaders } from "./otel-values.ts";

const flag = z
  .enum(["0", "1", "true", "false"], { error: "must be 0, 1, true or false" })
  .transform((value) => value === "1" || value === "true");

const port = z
  .string()
  .regex(/^[0-9]+$/, "must be a whole number")
  .transform(Number)
  .refine((value) => value <= 65_535, "must be at most 65535");

const list = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
}

const envShape = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.optional(),
  HOST: z.string().optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().optional(),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  DIRECT_DATABASE_URL: z.string().optional(),
  REPLICA_DATABASE_URL: z.string().optional(),
  PUBLIC_BASE_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  ALLOWED_HOSTS: list.optional(),
  TRUSTED_PROXIES: list.optional(),
  MAILGUN_API_KEY: z.string().optional(),
  MAILGUN_DOMAIN: z.string().optional(),
  MAILGUN_BASE_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  MAIL_FROM: z.string().optional(),
  REQUIRE_CONFIRMED: flag.optional(),
  REQUIRE_MFA: flag.optional(),
  SESSION_MAX_DAYS: wholeNumber(1, 3650).optional(),
  PASSWORD_MIN: wholeNumber(8, 64).optional(),
  DEMO: flag.optional(),
  AUDIT_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=?$/, "must be 32 bytes in base64, as printed by `openssl rand -base64 32`")
    .optional(),
  SECRETS_KEY: list
    .refine(
      (keys) => keys.every((key) => /^[A-Za-z0-9+/]{43}=?$/.test(key)),
      "must be keys of 32 bytes in base64 separated by commas, as printed by `openssl rand -base64 32`",
    )
    .optional(),
  OUTBOUND_ALLOW: list.optional(),
  AUDIT_EARLIER_KEYS: list
    .refine(
      (keys) => keys.every((key) => /^[A-Za-z0-9_-]{43}$/.test(key)),
      "must be public keys separated by commas, as in `key` of `audit verify --json`",
    )
    .optional(),
  RATE_LIMIT: z
    .string()
    .regex(/^[0-9]{1,9}$/, "must be a whole number of at most nine digits")
    .transform(Number)
    .optional(),
  OTLP_MAX_MIB: wholeNumber(1, 64).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform(parseHeaders)
    .refine((headers) => headers !== null, "must be like name=value,name=value")
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(255, "must have at most 255 characters").optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(", ")}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .optional(),
  OTEL_SDK_DISABLED: flag.optional(),
  LOG_FORMAT: z.enum(["json", "pretty"], { error: "must be json or pretty" }).optional(),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .optional(),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(envShape.shape);

/** The parsed environment. Variables that are unset or empty are absent. */
export type Env = z.output<typeof envShape>;

/** A variable with an invalid value, and the reason. */
export type EnvProblem = { variable: string; problem: string };

/** Parses the environment. Reports all problems, not only the first. */
export function readEnv(strings: Record<string, string | undefined>): {
  env: Env;
  problems: EnvProblem[];
} {
  const present = Object.fromEntries(Object.entries(strings).filter(([, value]) => value !== ""));
  const env: Record<string, unknown> = {};
  const problems: EnvProblem[] = [];
  for (const [variable, shape] of Object.entries(envShape.shape)) {
    const parsed = shape.safeParse(present[variable]);
    if (parsed.success) {
      if (parsed.data !== undefined) env[variable] = parsed.data;
    } else {
      problems.push({ variable, problem: parsed.error.issues[0]?.message ?? "is not valid" });
    }
  }
  return { env, problems };
}

import path from "node:path";
import type { Logger } from "pino";
import { openAuditKey } from "./auth/audit-key/open-audit-key.ts";
import type { VisitorServices } from "./auth/identify.ts";
import type { EmailServices } from "./auth/emails/email-services.ts";
import { noteRevokedUses } from "./auth/note-revoked-use.ts";
import { noteUses } from "./auth/note-use.ts";
import { createPasswordHasher } from "./auth/passwords.ts";
import type { OidcServices } from "./auth/oidc/oidc-services.ts";
import { createProviderClients } from "./auth/oidc/provider-clients.ts";
import { rememberCredentials } from "./auth/remembered-credentials.ts";
import { createClientStates } from "./auth/secrets/client-states.ts";
import { openSealedBox } from "./auth/secrets/open-sealed-box.ts";
import type { UpstreamServices } from "./auth/upstream/upstream-services.ts";
import { createUpstreamTraffic } from "./auth/upstream/upstream-traffic.ts";
import { createIssuerKeys } from "./auth/workloads/issuer-keys.ts";
import type { WorkloadServices } from "./auth/workloads/workload-services.ts";
import type { Config } from "./config/config.ts";
import { openDatabase } from "./db/client.ts";
import { type EmbeddedDatabase, startEmbedded } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { rememberBudgets } from "./domain/budgets/known-budgets.ts";
import { createDecisionLog } from "./domain/decisions/decision-log.ts";
import { rememberCounters } from "./domain/gateway-checks/agent-counters.ts";
import { rememberPolicies } from "./domain/gateway-checks/gate-policies.ts";
import { createSchemaChecker } from "./domain/json-schema/schema-checker.ts";
import { createWorkspaceBatches } from "./domain/kernel/workspace-batches.ts";
import { rememberPrices } from "./domain/prices/known-prices.ts";
import { createTraceTurns } from "./domain/traces/trace-turns.ts";
import { type HoldBody, createHeldBodies } from "./http/held-bodies.ts";
import { createOutbound } from "./http/outbound/outbound.ts";
import { listeningUrl } from "./http/listening-url.ts";
import { type RateLimit, createRateLimit } from "./http/rate-limit.ts";
import { createSameOriginCheck } from "./http/same-origin.ts";
import { type Live, createLive } from "./live/live.ts";
import { createMailer } from "./mail/mailer.ts";
import { createMeasures } from "./metrics/create-measures.ts";
import type { Tracing } from "./tracing/start-tracing.ts";

/** The most memory for request bodies on a node. */
const BODIES_BYTES = 67_108_864;

/** How long a call of a tool waits for others that are stored with it. */
const MCP_CALL_MS = 5;

/** The services of a process: everything that use cases need, and the database. */
export type OpenServices = VisitorServices &
  EmailServices &
  OidcServices &
  UpstreamServices &
  WorkloadServices & {
    /** Set when the server listens. */
    address: { url: string };
    live: Live;
    /** Counts the requests of each credential on this node, over all APIs. */
    rateLimit: RateLimit;
    /** Reserves memory for request bodies, over all APIs. */
    holdBody: HoldBody;
    /** Null unless traces are sent. */
    tracing: Tracing | null;
    /** Null for an external database. */
    embedded: EmbeddedDatabase | null;
    close: () => Promise<void>;
  };

/**
 * Finds or starts the database, migrates it and opens the services. Servers and commands may do so at the
 * same time.
 *
 * @param now the time for expiry checks. Only in tests.
 */
export async function openServices(
  config: Config,
  log: Logger,
  now: Date | null = null,
): Promise<OpenServices> {
  const [auditSigner, sealedBox] = await Promise.all([openAuditKey(config), openSealedBox(config)]);
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ directory: path.join(config.dataDir, "postgres"), log })
      : null;
  try {
    const databaseUrl = embedded?.url ?? config.databaseUrl ?? "";
    await migrate(config.directDatabaseUrl ?? databaseUrl, log);
    const tracing = await openTracing(config, log);
    return createServices(databaseUrl, config, { auditSigner, sealedBox, embedded, tracing, log, now });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Its packages are loaded only if they are wanted: they take time and memory. */
async function openTracing({ tracing }: Config, log: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  return (await import("./tracing/start-tracing.ts")).startTracing(tracing, log);
}

function createServices(
  databaseUrl: string,
  config: Config,
  {
    auditSigner,
    sealedBox,
    embedded,
    tracing,
    log,
    now,
  }: Pick<OpenServices, "auditSigner" | "sealedBox" | "embedded" | "tracing" | "log" | "now">,
): OpenServices {
  const { directDatabaseUrl, replicaDatabaseUrl: replicaUrl } = config;
  const isPooled = directDatabaseUrl !== null;
  const database = openDatabase(databaseUrl, log, { isPooled, replicaUrl, trace: tracing?.statement });
  const remembered = rememberCredentials();
  const live = createLive(directDatabaseUrl ?? databaseUrl, { memory: remembered, log, now });
  const measures = createMeasures(live.metrics.registry);
  const used = createShared({ log, database, live, measures, auditSigner });
  const outbound = createOutbound(config.outboundAllow);
  const address = { url: listeningUrl(config.host, config.port) };
  return {
    ...used,
    tracing,
    traceOperation: tracing?.operation,
    remembered,
    now,
    address,
    embedded,
    sealedBox,
    outbound,
    providerClients: createProviderClients(outbound, sealedBox),
    traffic: createUpstreamTraffic(),
    issuerKeys: createIssuerKeys(outbound),
    noteUse: noteUses(database, log),
    noteRevokedUse: noteRevokedUses({ ...used, now }),
    rateLimit: createRateLimit(config.rateLimit),
    holdBody: createHeldBodies(BODIES_BYTES),
    passwords: createPasswordHasher({ min: config.passwordMin }),
    mailer: createMailer(config, log),
    baseUrl: () => config.publicBaseUrl ?? address.url,
    sessions: {
      ...config.sessions,
      // Browsers drop such a cookie on pages over http.
      secureCookies: config.publicBaseUrl?.startsWith("https:") ?? false,
    },
    isSameOrigin: createSameOriginCheck(config.publicBaseUrl),
    close: () => closeServices({ ...used, tracing, outbound, embedded }),
  };
}

async function closeServices({
  tracing,
  outbound,
  reservations,
  mcpCalls,
  live,
  schemas,
  decisions,
  database,
  embedded,
}: Pick<OpenServices, "tracing" | "outbound" | "embedded"> & ReturnType<typeof createShared>): Promise<void> {
  try {
    outbound.close();
    await reservations.close();
    await mcpCalls.close();
    await live.close();
    await schemas.close();
    await decisions.close();
    await database.close();
    await tracing?.stop();
  } finally {
    await embedded?.stop();
  }
}

/** What use cases share on a node. */
function createShared(given: Pick<OpenServices, "log" | "database" | "live" | "measures" | "auditSigner">) {
  const { log, database, live } = given;
  return {
    ...given,
    schemas: createSchemaChecker(log),
    policies: rememberPolicies(database),
    decisions: createDecisionLog(database, log),
    counters: rememberCounters(),
    budgets: rememberBudgets(),
    prices: rememberPrices(),
    traceTurns: createTraceTurns(),
    clientStates: createClientStates(database, live.now),
    reservations: createWorkspaceBatches(),
    mcpCalls: createWorkspaceBatches(MCP_CALL_MS),
  };
}

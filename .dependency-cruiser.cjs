/**
 * The modules of src and what each may import besides itself, as in the README.
 * An entry is a module or a file.
 */
const MODULES = {
  config: [],
  http: ["domain/kernel/{redact,shared-capacity}"],
  db: ["config"],
  domain: ["db"],
  live: ["domain", "db"],
  tracing: ["config", "db/trace-statement", "domain/kernel/trace-operation", "http"],
  metrics: ["domain/kernel/measures", "db", "http/answered"],
  mail: ["domain/kernel/context", "domain/emails/email", "config", "http/escape-html"],
  auth: ["domain", "db", "http"],
  schema: ["domain", "auth", "live"],
  webhooks: ["domain", "db", "live", "auth/{secrets,webhooks,upstream}", "http"],
  gateway: ["schema", "auth", "domain", "http", "config", "live"],
  pages: [
    "schema/{execute,graphql,global-id}",
    "auth",
    "domain/kernel/{errors,to-domain-error,field-errors,few-members,context,actor,scopes,guard,limits,retention-days}",
    "domain/agent-commands/command-types",
    "domain/floor-plans/read-floor-plan-image",
    "mail/mailbox",
    "http",
  ],
  cli: ["services", "auth", "client", "domain", "config", "db", "demo"],
  demo: ["services", "auth", "domain", "config", "db"],
  client: [],
  dashboard: ["schema/graphql-env.d"],
  explorer: [],
};

/** Modules that may import only types of another one. */
const TYPES_ONLY = { schema: ["db"] };

/** What the APIs of compat may import from src. */
const COMPAT = [
  "schema/{execute,graphql,global-id}",
  "auth/{authenticate,identify,admit-caller,charge-requests,scim-tokens/authenticate-scim}",
  "auth/oidc/{log-out-by-provider,oidc-services}",
  "auth/workloads/{exchange-token,token-request-error,verify-assertion,workload-services}",
  "auth/upstream/{call-mcp-tool,relay-mcp-message,upstream-error}",
  "domain/kernel/{errors,to-domain-error,field-errors,few-members,context,actor,scopes,fair-pool,fair-queue,guard,has-scope,part,idempotency-key,is-object,limits,read-bytes,storable-text,strict-json,turns,with-idempotency-key}",
  "domain/agent-commands/command-types",
  "domain/traces/{read-logs,read-metrics,read-spans,sent-item,span-limits,telemetry}",
  "domain/directory/{attribute,resource-types,filter,patch-operation,coerce,version}",
  "http",
];

const TRANSPORTS =
  "(^|node_modules/)(https?|http2|@hono|@pothos|gql\\.tada|graphql|graphql-jit|graphql-ws|graphql-yoga|hono|ws)(/|$)";
const PRISMA = "(^|node_modules/)(@prisma|prisma|pg)(/|$)";
const GENERATED_CLIENT = "^src/db/generated/";
/** Generated enums, which may be imported as values. */
const ENUMS = "^src/db/generated/enums\\.ts$";

/** Converts an entry such as "domain/{errors,actor}" to a pattern of file paths. */
function toPattern(entry) {
  const alternatives = entry.replace("{", "(?:").replace("}", ")").replaceAll(",", "|");
  return `^src/${alternatives}(?:/|\\.tsx?$)`;
}

const moduleRules = Object.entries(MODULES).map(([module, allowed]) => ({
  name: `module-${module}`,
  comment: `src/${module} imports itself and [${allowed.join(", ")}] only.`,
  severity: "error",
  from: { path: toPattern(module) },
  to: { path: "^src/", pathNot: [module, ...allowed, ...(TYPES_ONLY[module] ?? [])].map(toPattern) },
}));

const typesOnlyRules = Object.entries(TYPES_ONLY).map(([module, named]) => ({
  name: `module-${module}-types`,
  comment: `src/${module} imports only types of [${named.join(", ")}].`,
  severity: "error",
  from: { path: toPattern(module) },
  to: { path: named.map(toPattern), pathNot: ENUMS, dependencyTypesNot: ["type-only"] },
}));

module.exports = {
  forbidden: [
    ...moduleRules,
    ...typesOnlyRules,
    {
      name: "known-modules",
      comment: "A file of src is in a module of the table, or is app.ts, services.ts, server.ts or main.ts.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [...Object.keys(MODULES), "app", "services", "server", "main"].map(toPattern),
      },
      to: {},
    },
    {
      name: "compat-imports",
      comment: `compat imports from src only ${COMPAT.join(", ")}.`,
      severity: "error",
      from: { path: "^compat/" },
      to: { path: "^src/", pathNot: COMPAT.map(toPattern) },
    },
    {
      name: "compat-apart",
      comment: "The APIs of compat never import each other.",
      severity: "error",
      from: { path: "^compat/([^/]+)" },
      to: { path: "^compat/", pathNot: "^compat/$1" },
    },
    {
      name: "compat-mounted-once",
      comment: "Only app.ts and main.ts import compat, and the command that imports traces what reads them.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(app|main|cli/actions/traces)\\.ts$" },
      to: { path: "^compat/" },
    },
    {
      name: "app-is-the-root",
      comment:
        "Only server.ts and main.ts import app.ts. They, cli and demo import services.ts. Nothing imports main.ts.",
      severity: "error",
      from: { path: "^(src|compat)/", pathNot: "^src/((app|main|server)\\.ts$|(cli|demo)/)" },
      to: { path: "^src/(app|services|main)\\.ts$" },
    },
    {
      name: "no-transport-within",
      comment: "domain, db and config don't import GraphQL, sockets or HTTP.",
      severity: "error",
      from: { path: "^src/(domain|db|config)/" },
      to: { path: TRANSPORTS },
    },
    {
      name: "only-db-opens-prisma",
      comment:
        "Only src/db imports values of Prisma, pg and the generated client. Others import types and enums.ts.",
      severity: "error",
      from: { path: "^(src|compat)/", pathNot: "^src/(db|schema/generated)/" },
      to: { path: [PRISMA, GENERATED_CLIENT], pathNot: ENUMS, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-vendor-imports-lucia-and-oslo",
      severity: "error",
      from: { pathNot: "^src/auth/vendor/" },
      to: { path: "(^|node_modules/)(lucia|oslo)(/|$)" },
    },
    {
      name: "nothing-imports-test",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^test/" },
    },
    {
      name: "nothing-imports-bench",
      severity: "error",
      from: { pathNot: "^bench/" },
      to: { path: "^bench/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: { path: "^(src|compat|test|bench|scripts)/", pathNot: "/generated/" },
      to: { circular: true },
    },
    {
      name: "no-re-exports",
      comment:
        "No barrels: an export is imported from its own file. Only a package's entry point re-exports.",
      severity: "error",
      from: {
        path: "^(src|compat|test|bench|scripts)/",
        pathNot: ["/generated/", "^src/client/client\\.ts$"],
      },
      to: { dependencyTypes: ["export"] },
    },
    {
      name: "no-dev-dependencies",
      comment:
        "Production code imports only dependencies, not devDependencies. The dashboard and the explorer are bundled at build time.",
      severity: "error",
      from: { path: "^(src|compat)/", pathNot: "^src/(dashboard|explorer)/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "/gql\\.tada/" },
    },
    {
      name: "only-what-package-json-names",
      severity: "error",
      from: { path: "^(src|compat|test|bench|scripts)/", pathNot: "/generated/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "nothing-unresolved",
      severity: "error",
      from: {
        path: "^(src|compat|test|bench|scripts)/",
        pathNot: ["/generated/", "/dist/", "^test/compat/otlp/senders/programs/"],
      },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/generated/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".cjs", ".js", ".json", ".d.ts"],
    },
    skipAnalysisNotInRules: true,
  },
};

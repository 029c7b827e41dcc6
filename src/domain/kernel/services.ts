import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import type { AuditSigner } from "../audit/signature.ts";
import type { RememberedBudgets } from "../budgets/known-budgets.ts";
import type { DecisionLog } from "../decisions/decision-log.ts";
import type { RememberedCounters } from "../gateway-checks/agent-counters.ts";
import type { RememberedPolicies } from "../gateway-checks/gate-policies.ts";
import type { ClientStates } from "./client-states.ts";
import type { RememberedPrices } from "../prices/known-prices.ts";
import type { SchemaChecker } from "../json-schema/schema-checker.ts";
import type { LiveChannel } from "./live-channel.ts";
import type { Measures } from "./measures.ts";
import type { TraceOperation } from "./trace-operation.ts";
import type { TraceTurns } from "../traces/trace-turns.ts";
import type { WorkspaceBatches } from "./workspace-batches.ts";

/** The services of a process. Not bound to a workspace. */
export type Services = {
  log: Logger;
  database: Database;
  live: LiveChannel;
  measures: Measures;
  schemas: SchemaChecker;
  policies: RememberedPolicies;
  decisions: DecisionLog;
  counters: RememberedCounters;
  budgets: RememberedBudgets;
  prices: RememberedPrices;
  traceTurns: TraceTurns;
  clientStates: ClientStates;
  /** Operations on budgets. */
  reservations: WorkspaceBatches;
  mcpCalls: WorkspaceBatches;
  /** Signs audit checkpoints and deletions; null without a key. */
  auditSigner: AuditSigner | null;
  /** Undefined unless the server's own traces are sent. */
  traceOperation?: TraceOperation | undefined;
  /** Aborted when the server stops, to end waits. */
  stopping?: AbortSignal;
};

/**
 * A process that creates tasks with the use case, several at once, and prints the id of each on a line when it has
 * been created. It runs until killed.
 *
 *     node --import tsx test/support/task-writer.ts <database URL> <workspace id>
 */
import { writeSync } from "node:fs";
import { pino } from "pino";
import { createClientStates } from "../../src/auth/secrets/client-states.ts";
import { openDatabase } from "../../src/db/client.ts";
import { openCtx, systemCaller } from "../../src/domain/kernel/context.ts";
import { createSchemaChecker } from "../../src/domain/json-schema/schema-checker.ts";
import { rememberBudgets } from "../../src/domain/budgets/known-budgets.ts";
import { createWorkspaceBatches } from "../../src/domain/kernel/workspace-batches.ts";
import { createDecisionLog } from "../../src/domain/decisions/decision-log.ts";
import { rememberCounters } from "../../src/domain/gateway-checks/agent-counters.ts";
import { rememberPolicies } from "../../src/domain/gateway-checks/gate-policies.ts";
import { rememberPrices } from "../../src/domain/prices/known-prices.ts";
import { createTraceTurns } from "../../src/domain/traces/trace-turns.ts";
import { createLive } from "../../src/live/live.ts";
import { createMeasures } from "../../src/metrics/create-measures.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";

const WRITERS = 8;
const [url = "", workspaceId = ""] = process.argv.slice(2);
const log = pino({ level: "silent" });
const live = createLive(url, { memory: { forget: () => {}, trust: () => {} }, log, now: null });
const database = openDatabase(url, log);
const services = {
  ...{
    log,
    database,
    live,
    measures: createMeasures(live.metrics.registry),
    schemas: createSchemaChecker(log),
    auditSigner: null,
  },
  ...{ policies: rememberPolicies(database), decisions: createDecisionLog(database, log) },
  ...{ counters: rememberCounters(), budgets: rememberBudgets() },
  ...{
    reservations: createWorkspaceBatches(),
    mcpCalls: createWorkspaceBatches(),
  },
  ...{ prices: rememberPrices(), traceTurns: createTraceTurns() },
  clientStates: createClientStates(database, live.now),
};
const ctx = openCtx(services, systemCaller(workspaceId, "task writer"));

async function write(): Promise<never> {
  for (;;) {
    const { id } = await createTask(ctx, { title: "Written until killed" });
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, write));

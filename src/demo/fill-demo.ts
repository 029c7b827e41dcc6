import type { Logger } from "pino";
import type { PasswordHasher } from "../auth/passwords.ts";
import { openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import { type DemoCredentials, writeDemoFile } from "./demo-file.ts";
import { createAlertRules } from "./create-alert-rules.ts";
import { createBudgets } from "./create-budgets.ts";
import { createFloorPlan } from "./create-floor-plan.ts";
import { createMissionTemplates } from "./create-mission-templates.ts";
import { createPolicies } from "./create-policies.ts";
import { insertRoster } from "./insert-roster.ts";
import { prepareDemo } from "./prepare-demo.ts";
import { agentCommands } from "./scenarios/agent-commands.ts";
import { evalRuns } from "./scenarios/eval-runs.ts";
import { messages } from "./scenarios/messages.ts";
import { missions } from "./scenarios/missions.ts";
import { tasks } from "./scenarios/tasks.ts";
import { loadWorld } from "./demo-world.ts";
import { writeCollection } from "./write-collection.ts";
import { sendPastTraces } from "./traces/send-past-traces.ts";
import { writeHistory } from "./write-history.ts";

/**
 * Fills the demo workspace with a month of a company's work, creating the workspace if necessary. Continues
 * an interrupted fill; a complete demo is not changed.
 *
 * @param options.signal stops it after the running batch.
 * @returns its credentials, which are written to `<dataDir>/demo.json` before the work is filled in;
 *   `filled` is false if it was stopped.
 */
export async function fillDemo(
  services: Services & { passwords: PasswordHasher },
  options: { log: Logger; dataDir: string; signal?: AbortSignal | undefined },
): Promise<DemoCredentials> {
  const { log, dataDir, signal } = options;
  const credentials = await prepareDemo(services, dataDir);
  if (credentials.filled) return credentials;
  const { workspaceId } = credentials;
  log.info({ workspaceId }, "the demo is being filled");
  const ctx = openCtx(services, systemCaller(workspaceId, "demo"));
  await insertRoster(ctx);
  await createPolicies(ctx);
  await createBudgets(ctx);
  await createFloorPlan(ctx);
  await createMissionTemplates(ctx);
  const world = await loadWorld(ctx);
  await writeHistory(ctx, [missions, tasks, messages, agentCommands, evalRuns], { world, signal });
  // Ordered by their references to each other.
  await writeCollection(ctx, missions, { world, signal });
  await writeCollection(ctx, tasks, { world, signal });
  await writeCollection(ctx, messages, { world, signal });
  await writeCollection(ctx, agentCommands, { world, signal });
  await writeCollection(ctx, evalRuns, { world, signal });
  await sendPastTraces(ctx, signal);
  if (signal?.aborted === true) return credentials;
  await createAlertRules(ctx);
  const filled = { ...credentials, filled: true };
  await writeDemoFile(dataDir, filled);
  log.info({ workspaceId }, "the demo is complete");
  return filled;
}

import type { Logger } from "pino";
import type { PasswordHasher } from "../auth/passwords.ts";
import { type Services, openCtx, systemCaller } from "../domain/kernel/context.ts";
import { type DemoCredentials, writeDemoFile } from "./demo-file.ts";
import { insertRoster } from "./insert-roster.ts";
import { prepareDemo } from "./prepare-demo.ts";
import { agentCommands } from "./scenarios/agent-commands.ts";
import { evalRuns } from "./scenarios/eval-runs.ts";
import { messages } from "./scenarios/messages.ts";
import { missions } from "./scenarios/missions.ts";
import { tasks } from "./scenarios/tasks.ts";
import { loadWorld } from "./demo-world.ts";
import { writeCollection } from "./write-collection.ts";
import { writeHistory } from "./write-history.ts";

/**
 * Fills the demo workspace with a month of a company's work, and makes the workspace where there is
 * none. One that was cut goes on where it stopped; one that is complete stays as it is.
 *
 * @param options.signal stops it after the running batch.
 * @returns its credentials, which are in `<dataDir>/demo.json` before the work is filled in; `filled` is
 *   false where it was stopped.
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
  const world = await loadWorld(ctx);
  await writeHistory(ctx, [missions, tasks, messages, agentCommands, evalRuns], { world, signal });
  // In the order in which their rows refer to each other.
  await writeCollection(ctx, missions, { world, signal });
  await writeCollection(ctx, tasks, { world, signal });
  await writeCollection(ctx, messages, { world, signal });
  await writeCollection(ctx, agentCommands, { world, signal });
  await writeCollection(ctx, evalRuns, { world, signal });
  if (signal?.aborted === true) return credentials;
  const filled = { ...credentials, filled: true };
  await writeDemoFile(dataDir, filled);
  log.info({ workspaceId }, "the demo is complete");
  return filled;
}

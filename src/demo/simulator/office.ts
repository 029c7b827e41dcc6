import { type Ctx, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { readStoppedAgents } from "../../domain/stops/is-stopped.ts";
import { claimTask } from "../../domain/tasks/claim-task.ts";
import { SOFTWARE_AGENTS } from "../roster/software-agents.ts";
import { attend } from "./attend.ts";
import { callTools, readApprovalDesk } from "./call-tools.ts";
import { openDemoAgent } from "./demo-agent.ts";
import { type OfficeJob, continueJob, toOfficeJob } from "./office-job.ts";
import { OFFICE_JOB_PROFILES } from "./office-job-profiles.ts";
import { sendTask } from "./send-task.ts";
import { traceJob } from "./trace-job.ts";

/** The simulated software agents. */
export type Office = { tick: (at: Date) => Promise<void> };

const HANDLES = SOFTWARE_AGENTS.map(({ handle }) => handle);

/**
 * Creates the simulation of the software agents. Which tasks they hold is only in memory: after a restart,
 * those tasks return to their queues.
 */
export function openOffice(services: Services, workspaceId: string): Office {
  const ctx = openCtx(services, systemCaller(workspaceId, "demo"));
  const jobsByHandle = new Map(HANDLES.map((handle) => [handle, new Set<OfficeJob>()]));
  return {
    tick: async (at) => {
      const agents = await readAgents(ctx);
      const active = await readActiveHandles(ctx);
      const desk = await readApprovalDesk(ctx);
      await sendTask(new Map([...agents].filter(([handle]) => active.has(handle))), at);
      for (const [handle, jobs] of jobsByHandle) {
        const agent = agents.get(handle);
        if (agent === undefined) continue;
        await workAs(agent, { handle, jobs, at });
        if (active.has(handle)) {
          await callTools(enterTrace(agent, jobs), { handle, desk, at }).catch(ignoreDomainErrors);
        }
      }
    },
  };
}

/** Returns the online agents that work or create tasks, by handle. */
async function readAgents(ctx: Ctx): Promise<Map<string, Ctx>> {
  const agents = await ctx.db.agent.findMany({
    where: { handle: { in: [...HANDLES, "primary"] }, archivedAt: null },
    select: { id: true, handle: true, name: true },
  });
  return new Map(agents.map((agent) => [agent.handle, openDemoAgent(ctx, agent)]));
}

/** The handles of the agents that may work. */
async function readActiveHandles(ctx: Ctx): Promise<Set<string>> {
  const agents = await ctx.db.agent.findMany({
    where: { controlState: "active" },
    select: { id: true, handle: true },
  });
  const stopped = await readStoppedAgents(
    ctx,
    agents.map(({ id }) => id),
  );
  return new Set(agents.flatMap(({ id, handle }) => (stopped.has(id) ? [] : [handle])));
}

function listQueues(handle: string): string[] {
  return OFFICE_JOB_PROFILES.filter(({ workers }) => workers.includes(handle)).map(({ queue }) => queue);
}

/** An agent works on one task at a time, and on those that wait for an answer. */
async function workAs(
  agent: Ctx,
  { handle, jobs, at }: { handle: string; jobs: Set<OfficeJob>; at: Date },
): Promise<void> {
  const mayWork = await attend(agent);
  const queues = listQueues(handle);
  for (const job of jobs) {
    const isHeld = await continueJob(agent, job, at).catch(ignoreDomainErrors);
    if (!isHeld) jobs.delete(job);
    await traceJob(agent, { handle, job, at, isHeld }).catch(ignoreDomainErrors);
  }
  if (!mayWork || queues.length === 0 || [...jobs].some(({ waits }) => !waits)) return;
  const claim = await claimTask(agent, { queues });
  if (claim !== null) jobs.add(toOfficeJob(claim, at));
}

/** What an agent does while it works on a task belongs to that task's trace. */
function enterTrace(agent: Ctx, jobs: ReadonlySet<OfficeJob>): Ctx {
  const job = [...jobs].find(({ waits }) => !waits);
  return job === undefined ? agent : openCtx(agent.services, { ...agent, traceparent: job.traceparent });
}

/** Such as a canceled task, an expired lease, or a stop in the meantime. */
function ignoreDomainErrors(error: unknown): false {
  if (!(error instanceof DomainError)) throw error;
  return false;
}

import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { sendMessage } from "../../domain/messages/send-message.ts";
import { acknowledgeTaskCancel } from "../../domain/tasks/acknowledge-task-cancel.ts";
import type { Claim } from "../../domain/tasks/claim-task.ts";
import { completeTask } from "../../domain/tasks/complete-task.ts";
import { failTask } from "../../domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../domain/tasks/heartbeat-task.ts";
import { type Random, createRandom } from "../random.ts";
import {
  listActivities,
  pickFailure,
  pickJob,
  findQuestion,
  writeResult,
} from "../scenarios/build-outcome.ts";
import type { JobFailure } from "../scenarios/job-profile.ts";
import { JOB_PROFILES } from "../scenarios/job-profiles.ts";
import { createWriter } from "../writer.ts";

/** A task that a demo agent holds, with its outcome and messages. */
export type OfficeJob = {
  id: string;
  title: string;
  leaseToken: string;
  /** What its spans and requests belong to. */
  traceparent: string;
  fromMs: number;
  lastsMs: number;
  ending: "complete" | "fail" | "ask";
  /** Whether it waits for a person's answer. */
  waits: boolean;
  doing: string;
  result: string;
  failure: JobFailure;
  /** Null if there is nothing to ask. */
  question: string | null;
};

const LASTS_SECONDS = [20, 100] as const;
const ENDINGS = { complete: 84, fail: 8, ask: 8 } as const;
const ANSWER_WITHIN_SECONDS = 1800;

/** Plans the work on a claimed task. A task that the demo did not create just succeeds. */
export function toOfficeJob({ task, lease }: Claim, at: Date): OfficeJob {
  const random = createRandom(`job ${task.id} ${lease.attempt}`);
  const words = findWords(task);
  return {
    id: task.id,
    title: task.title,
    leaseToken: lease.token,
    traceparent: lease.traceparent,
    fromMs: at.getTime(),
    lastsMs: random.between(...LASTS_SECONDS) * 1000,
    ending: pickEnding(words, random),
    waits: false,
    ...(words ?? PLAIN),
  };
}

function pickEnding(words: ReturnType<typeof findWords>, random: Random): OfficeJob["ending"] {
  if (words === null) return "complete";
  const ending = random.weigh(ENDINGS);
  return ending === "ask" && words.question === null ? "complete" : ending;
}

const PLAIN = {
  doing: "At work",
  result: "Done.",
  failure: { code: "agent_error", message: "It did not work out.", retryable: true },
  question: "May I?",
};

/** The seed is the context's id, as for its title. */
function findWords({ queue, contextId, title }: Task) {
  const profile = JOB_PROFILES.get(queue);
  const write = createWriter(contextId);
  if (profile === undefined || write(pickJob(profile, write).title) !== title) return null;
  const asked = findQuestion(profile, write);
  return {
    doing: write(createRandom(contextId).pick(listActivities(profile, write))),
    result: writeResult(profile, write),
    failure: pickFailure(profile, write),
    question: asked === null ? null : write(asked.question),
  };
}

/**
 * Works on a task for one tick.
 *
 * @returns whether the agent still holds it.
 * @throws {DomainError} if the agent has lost the task.
 */
export async function continueJob(ctx: Ctx, job: OfficeJob, at: Date): Promise<boolean> {
  const held = { id: job.id, leaseToken: job.leaseToken };
  const share = Math.min((at.getTime() - job.fromMs) / job.lastsMs, 1);
  const update = job.waits ? {} : { progress: Math.round(share * 100) / 100, statusMessage: job.doing };
  const { cancelRequested, leaseExpiresAt } = await heartbeatTask(ctx, { ...held, ...update });
  if (cancelRequested) {
    await acknowledgeTaskCancel(ctx, held);
    return false;
  }
  job.waits = leaseExpiresAt === null;
  if (job.waits) return true;
  if (share >= 0.5 && job.ending === "ask") {
    await askQuestion(ctx, job);
    return true;
  }
  if (share < 1) return true;
  if (job.ending === "fail") await failTask(ctx, { ...held, error: job.failure });
  else await completeTask(ctx, { ...held, output: { summary: job.result } });
  return false;
}

async function askQuestion(ctx: Ctx, job: OfficeJob): Promise<void> {
  await sendMessage(ctx, {
    kind: "question",
    taskId: job.id,
    leaseToken: job.leaseToken,
    parts: [{ text: job.question ?? PLAIN.question }],
    expectsReply: true,
    inputTimeoutSeconds: ANSWER_WITHIN_SECONDS,
  });
  Object.assign(job, { ending: "complete", waits: true });
}

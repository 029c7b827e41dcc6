import { v7 as uuidv7 } from "uuid";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createTask } from "../../domain/tasks/create-task.ts";
import { createRandom } from "../random.ts";
import { pickJob } from "../scenarios/build-outcome.ts";
import { createWriter } from "../writer.ts";
import { OFFICE_JOB_PROFILES } from "./office-job-profiles.ts";

/** Every second tick creates a task on average, and none if too many wait. */
const CHANCE = 0.5;
const WAITING = 12;

const WEIGHTS = Object.fromEntries(OFFICE_JOB_PROFILES.map(({ queue, weight }) => [queue, weight]));

/** Sometimes lets an agent of the demo create a task for others. */
export async function sendTask(agents: ReadonlyMap<string, Ctx>, at: Date): Promise<void> {
  const random = createRandom(`task at ${at.toISOString()}`);
  if (!random.chance(CHANCE)) return;
  const queue = random.weigh(WEIGHTS);
  const profile = OFFICE_JOB_PROFILES.find((one) => one.queue === queue);
  const asker = profile && agents.get(random.pick(profile.askers));
  if (profile === undefined || asker === undefined) return;
  const ready = { status: "submitted", runAfter: null } as const;
  if ((await asker.db.task.count({ where: ready })) >= WAITING) return;
  const contextId = uuidv7();
  const write = createWriter(contextId);
  const { title, brief } = pickJob(profile, write);
  await createTask(asker, {
    title: write(title),
    input: [{ text: write(brief) }],
    queue,
    contextId,
    labels: { ...profile.labels },
    priority: Number(random.weigh({ 4: 20, 5: 60, 7: 20 })),
  });
}

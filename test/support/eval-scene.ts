import type { EvalRun } from "../../src/db/generated/client.ts";
import type { EvalResultStatus, EvalRunStatus } from "../../src/db/generated/enums.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { addEvalResults } from "../../src/domain/eval-runs/add-eval-results.ts";
import { cancelEvalRun } from "../../src/domain/eval-runs/cancel-eval-run.ts";
import { completeEvalRun } from "../../src/domain/eval-runs/complete-eval-run.ts";
import { createEvalRun } from "../../src/domain/eval-runs/create-eval-run.ts";
import { failEvalRun } from "../../src/domain/eval-runs/fail-eval-run.ts";
import { promoteEvalBaseline } from "../../src/domain/eval-runs/promote-eval-baseline.ts";
import { sweepEvalRuns } from "../../src/domain/eval-runs/sweep-eval-runs.ts";
import { userCtx } from "./callers.ts";
import type { TestServer } from "./server.ts";
import { createWorker } from "./workers.ts";

/** Long after any sweep of the test's server. */
const START = new Date("2100-01-01T00:00:00.000Z");

/** A run of a new suite, its agent and a user, at a time of their own. */
export type EvalScene = { reporter: Ctx; operator: Ctx; id: string; suite: string };

/** The required fields of a result. */
export type Item = Parameters<typeof addEvalResults>[1]["results"][number];

/** Results by item key. */
export function items(statuses: Record<string, EvalResultStatus>): Item[] {
  return Object.entries(statuses).map(([itemKey, status]) => ({ itemKey, status }));
}

/** Creates a run without results. */
export async function createEvalScene(
  server: TestServer,
  workspaceId: string,
  fields: Partial<Parameters<typeof createEvalRun>[1]> = {},
): Promise<EvalScene> {
  const reporter = await createWorker(server, workspaceId);
  const operator = userCtx(server, workspaceId, "operator");
  reporter.now = START;
  operator.now = START;
  const suite = `suite-${crypto.randomUUID()}`;
  const run = await createEvalRun(reporter, { suite, name: "Nightly", ...fields });
  return { reporter, operator, id: run.id, suite: run.suite };
}

/** Creates another run of the scene's suite. */
export async function anotherRun(
  scene: EvalScene,
  fields: Partial<Parameters<typeof createEvalRun>[1]> = {},
): Promise<EvalScene> {
  const { id } = await createEvalRun(scene.reporter, { suite: scene.suite, name: "Next", ...fields });
  return { ...scene, id };
}

/** Lets time pass in a scene. */
export function passEvalTime({ reporter, operator }: EvalScene, minutes: number): void {
  reporter.now = new Date((reporter.now ?? START).getTime() + minutes * 60_000);
  operator.now = reporter.now;
}

/** Every action on a run. */
export const EVAL_ACTS = {
  addResults: ({ reporter, id }: EvalScene, results: Item[] = items({ a: "passed", b: "failed" })) =>
    addEvalResults(reporter, { runId: id, results }),
  complete: ({ reporter, id }: EvalScene) => completeEvalRun(reporter, { id }),
  fail: ({ reporter, id }: EvalScene) => failEvalRun(reporter, { id, error: { message: "It broke" } }),
  cancel: ({ operator, id }: EvalScene) => cancelEvalRun(operator, { id, reason: "Not wanted" }),
  promote: ({ operator, id }: EvalScene) => promoteEvalBaseline(operator, { id }),
  sweep: ({ reporter }: EvalScene) => sweepEvalRuns(reporter.services, reporter.now),
} satisfies Record<string, (scene: EvalScene) => Promise<unknown>>;

export type EvalActName = keyof typeof EVAL_ACTS;

/** How to bring a run into each status. */
const WAYS: Record<EvalRunStatus, EvalActName[]> = {
  queued: [],
  running: ["addResults"],
  completed: ["addResults", "complete"],
  failed: ["addResults", "fail"],
  canceled: ["addResults", "cancel"],
};

/** Creates a run with a status. */
export async function evalSceneIn(
  { server, workspaceId }: { server: TestServer; workspaceId: string },
  status: EvalRunStatus,
): Promise<EvalScene> {
  const scene = await createEvalScene(server, workspaceId);
  for (const act of WAYS[status]) await EVAL_ACTS[act](scene);
  return scene;
}

/** Uploads results and completes the run. */
export async function completeWith(scene: EvalScene, results: Item[]): Promise<EvalRun> {
  await EVAL_ACTS.addResults(scene, results);
  return EVAL_ACTS.complete(scene);
}

/** The stored run of a scene. */
export async function readStoredEvalRun({ reporter, id }: EvalScene): Promise<EvalRun> {
  return reporter.db.evalRun.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: reporter.workspaceId, id } },
  });
}

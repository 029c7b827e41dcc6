import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";

type Use = { scope: Scope; selection: string };

/** A selection of each field of evaluation runs, and the scope it requires. */
export function evalUses(uuid: string): Record<string, Use[]> {
  const id = JSON.stringify(toGlobalId("EvalRun", uuid));
  const read = (selection: string): Use[] => [{ scope: "eval_runs:read", selection }];
  const write = (selection: string): Use[] => [{ scope: "eval_runs:write", selection }];
  const results = '[{ itemKey: "a", status: PASSED }]';
  return {
    evalRun: read(`evalRun(id: ${id}) { results { totalCount } }`),
    evalComparison: read(`evalComparison(runId: ${id}, baselineId: ${id}) { added { itemKey } }`),
    createEvalRun: write('createEvalRun(input: { suite: "a", name: "b" }) { evalRun { uuid } }'),
    addEvalResults: write(`addEvalResults(input: { runId: ${id}, results: ${results} }) { accepted }`),
    completeEvalRun: write(`completeEvalRun(input: { id: ${id} }) { evalRun { uuid } }`),
    // Comes later, because a finished run can't end again. The scope is tested in test/domain/eval-runs/.
    cancelEvalRun: [],
    failEvalRun: [],
  };
}

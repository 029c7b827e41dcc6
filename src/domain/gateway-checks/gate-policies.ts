import { LRUCache } from "lru-cache";
import type { Database } from "../../db/client.ts";
import { type Turns, createTurns } from "../kernel/turns.ts";
import { type CompiledPolicy, compilePolicy } from "../policies/compile-policy.ts";
import { compileAction } from "../policies/match-scope.ts";
import { type PolicyIndex, indexPolicies } from "../policies/policy-index.ts";
import { type PolicyNames, listPolicyNames } from "../policies/policy-names.ts";
import { readPolicies } from "../policies/read-policies.ts";

/** The enabled policies of a workspace at a generation. */
export type GatePolicies = {
  generation: number;
  /** Their length as JSON, in bytes. */
  size: number;
  policies: readonly CompiledPolicy[];
  index: PolicyIndex<CompiledPolicy>;
  /** Whether any of them can be for a command to an agent, or a mission, with this action. */
  mayMeanOrder: (action: string) => boolean;
  /** What they name, listed when it is first asked for. */
  getNames: () => Promise<PolicyNames>;
};

/** The policies that a node remembers. */
export type RememberedPolicies = {
  /** Returns a workspace's policies at this generation, or newer ones if they changed meanwhile. */
  get: (workspaceId: string, generation: number) => Promise<GatePolicies>;
  /** Runs what is done with policies, in fair turns between workspaces. */
  runInTurns: Turns["run"];
};

/** The length of all policies that a node remembers, as JSON, in bytes. */
const MOST_BYTES = 134_217_728;

/** Remembers policies. Whoever asks says which generation is current, so none of them is out of date. */
export function rememberPolicies({ run }: Pick<Database, "run">): RememberedPolicies {
  const known = new LRUCache<string, GatePolicies>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ size }) => size + 1,
  });
  const loading = new Map<string, Promise<GatePolicies>>();
  const { run: runInTurns } = createTurns();

  async function load(workspaceId: string): Promise<GatePolicies> {
    const { generation, policies: stored } = await readPolicies(run, workspaceId);
    const enabled = stored.filter((policy) => policy.enabled);
    const policies = enabled.map((policy) => compilePolicy(policy));
    let names: Promise<PolicyNames> | null = null;
    return {
      getNames: () => (names ??= runInTurns(workspaceId, listPolicyNames(policies))),
      generation,
      size: enabled.reduce((sum, { size }) => sum + size, 0),
      policies,
      mayMeanOrder: createOrderTest(policies),
      index: await runInTurns(
        workspaceId,
        indexPolicies(policies, ({ rule }) => rule),
      ),
    };
  }

  async function loadOnce(workspaceId: string, generation: number): Promise<GatePolicies> {
    const key = `${workspaceId} ${generation}`;
    const policies = loading.get(key) ?? load(workspaceId).finally(() => loading.delete(key));
    loading.set(key, policies);
    const loaded = await policies;
    known.set(workspaceId, loaded);
    return loaded;
  }

  return {
    get: async (workspaceId, generation) => {
      const remembered = known.get(workspaceId);
      // Not an older one; and after a restore of the database, not one of before.
      return remembered?.generation === generation ? remembered : loadOnce(workspaceId, generation);
    },
    runInTurns,
  };
}

/** Remembers its answers: orders of most types are given again and again. */
function createOrderTest(policies: readonly CompiledPolicy[]): GatePolicies["mayMeanOrder"] {
  const patterns = new Set(policies.flatMap(({ rule }) => rule.actions));
  const known = new LRUCache<string, boolean>({ max: MOST_ACTIONS });
  let tests: ReturnType<typeof compileAction>[] | null = null;
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    tests ??= [...patterns].map(compileAction);
    const action = { name, isCommand: true, properties: {} };
    const isMeant = tests.some((test) => test({ action }));
    known.set(name, isMeant);
    return isMeant;
  };
}

/** The most actions of a workspace whose answer is remembered. */
const MOST_ACTIONS = 1000;

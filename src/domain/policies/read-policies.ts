import { NIL } from "uuid";
import type { Policy } from "../../db/generated/client.ts";
import { type Run, sql } from "../../db/sql.ts";
import { toRule } from "./to-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** A stored rule. `size` is its length as JSON, in bytes. */
export type ReadPolicy = PolicyRule & Pick<Policy, "id" | "generation" | "size">;

/** All policies of a workspace at a generation, those created first first. */
export type ReadPolicies = { generation: number; policies: ReadPolicy[] };

/** Policies of one statement: the event loop is free after each. */
const PAGE = 250;
/** How often policies are read anew because they changed between two pages. Then one statement reads them all. */
const TRIES = 3;

/** Reads all policies of a workspace at one instant. */
export async function readPolicies(run: Run, workspaceId: string): Promise<ReadPolicies> {
  for (let tried = 0; ; tried++) {
    const found = await readPages(run, workspaceId, tried < TRIES ? PAGE : null);
    if (found !== null) return found;
  }
}

/** Null if they changed meanwhile. @param size of a page; null for all. */
async function readPages(run: Run, workspaceId: string, size: number | null): Promise<ReadPolicies | null> {
  const policies: ReadPolicy[] = [];
  let from = START;
  let generation: number | null = null;
  for (;;) {
    const rows: Row[] = await run(PAGE_OF, [workspaceId, from.createdAt, from.id, size]);
    const read = rows[0]?.gateGeneration ?? 0;
    if (generation !== null && read !== generation) return null;
    generation = read;
    // Without policies, there is one row with the generation only.
    const found = rows.filter(({ id }) => id !== null);
    for (const row of found) policies.push({ ...toRule(row), ...getIdentity(row) });
    from = found.at(-1) ?? from;
    if (size === null || found.length < size) return { generation, policies };
  }
}

function getIdentity({ id, generation, size }: Row): Pick<ReadPolicy, "id" | "generation" | "size"> {
  return { id, generation, size };
}

type Place = Pick<Policy, "createdAt" | "id">;

const START: Place = { createdAt: new Date(0), id: NIL };

type Row = Place &
  Parameters<typeof toRule>[0] &
  Pick<Policy, "generation" | "size"> & { gateGeneration: number };

const PAGE_OF = sql<Row>`
SELECT w.gate_generation AS "gateGeneration", p.id, p.generation, p.name, p.description, p.enabled, p.mode::text,
  p.effect::text, p.subjects, p.actions, p.resources, p."when", p.approval, p.size, p.created_at AS "createdAt"
FROM workspace w LEFT JOIN LATERAL (
  SELECT * FROM policy o WHERE o.workspace_id = w.id
    AND (o.created_at, o.id) > ($2::timestamptz, $3::uuid)
  ORDER BY o.created_at, o.id LIMIT $4::int
) p ON true
WHERE w.id = $1::uuid ORDER BY p.created_at, p.id`;

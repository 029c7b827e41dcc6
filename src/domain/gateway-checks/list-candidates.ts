import { sql } from "../../db/sql.ts";
import { BUILT_IN_COMMANDS } from "../agent-commands/command-types.ts";
import type { Ctx } from "../kernel/context.ts";
import type { EntityAgent, Entity } from "../policies/evaluation-request.ts";
import type { PolicyNames } from "../policies/policy-names.ts";
import { isAgentType } from "./entity-name.ts";
import { CREATE_MISSION } from "./resolve-entities.ts";

/** What may be a result of a search. Positions order all candidates of a search. */
export type Candidate<Found> = { name: string; found: Found; position: string };

/** Rows of one statement: each has up to 16 KiB. */
const CHUNK = 200;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Listed = {
  type: string;
  /** What policies name of this type. */
  names: readonly string[];
  after: string | null;
};

/** Sources in their order, by the letter with which their positions begin. */
const SOURCES = { a: listAgents, e: listStored, n: listNamed } as const;

/** Lists the entities of a type that the workspace knows: agents, stored entities and what policies name. */
export async function* listEntityCandidates(
  ctx: Ctx,
  { type, names, after }: Listed,
): AsyncGenerator<Candidate<Entity>[]> {
  const [letter, last] = after === null ? ["", null] : [after.slice(0, 1), after.slice(1)];
  for (const [source, list] of Object.entries(SOURCES)) {
    if (source < letter) continue;
    for await (const chunk of list(ctx, { type, names, after: source === letter ? last : null })) {
      yield chunk.map(({ position, ...rest }) => ({ ...rest, position: `${source}${position}` }));
    }
  }
}

async function* listAgents(ctx: Ctx, { type, after }: Listed): AsyncGenerator<Candidate<Entity>[]> {
  if (!isAgentType(type)) return;
  let last = after !== null && UUID.test(after) ? after : FIRST_ID;
  for (;;) {
    const agents = await ctx.read(AGENTS, [ctx.workspaceId, last, type === "robot" ? "robot" : null]);
    yield agents.map((agent) => ({
      // A handle that looks like an id could be another agent's.
      name: UUID.test(agent.handle) ? agent.id : agent.handle,
      found: { type: "agent", id: agent.id, agent, properties: {} },
      position: agent.id,
    }));
    if (agents.length < CHUNK) return;
    last = agents.at(-1)?.id ?? last;
  }
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const AGENTS = sql<EntityAgent>`
SELECT id, handle, kind::text, version, labels FROM agent
WHERE workspace_id = $1::uuid AND id > $2::uuid AND archived_at IS NULL
  AND ($3::text IS NULL OR kind::text = $3)
ORDER BY id LIMIT ${CHUNK}`;

async function* listStored(ctx: Ctx, { type, after }: Listed): AsyncGenerator<Candidate<Entity>[]> {
  let last = after ?? "";
  for (;;) {
    const entities = await ctx.read(STORED, [ctx.workspaceId, type, last]);
    yield entities.map(({ id, properties }) => toCandidate({ type, id, properties }));
    if (entities.length < CHUNK) return;
    last = entities.at(-1)?.id ?? last;
  }
}

const STORED = sql<{ id: string; properties: Record<string, unknown> }>`
SELECT entity_id AS id, properties FROM gateway_entity
WHERE workspace_id = $1::uuid AND type = $2 AND entity_id > $3 ORDER BY entity_id LIMIT ${CHUNK}`;

/** What policies name and nothing is stored of. Positions are those in the list. */
async function* listNamed(ctx: Ctx, { type, names, after }: Listed): AsyncGenerator<Candidate<Entity>[]> {
  if (isAgentType(type)) return;
  for (let from = toIndex(after); from < names.length; from += CHUNK) {
    const chunk = names.slice(from, from + CHUNK);
    const stored = new Set((await ctx.read(AMONG, [ctx.workspaceId, type, chunk])).map(({ id }) => id));
    yield chunk.flatMap((id, at) =>
      stored.has(id) ? [] : [{ ...toCandidate({ type, id, properties: {} }), position: String(from + at) }],
    );
  }
}

/** The index after a position. */
function toIndex(after: string | null): number {
  return after !== null && /^\d{1,9}$/.test(after) ? Number(after) + 1 : 0;
}

function toCandidate(entity: Omit<Entity, "agent">): Candidate<Entity> {
  return { name: entity.id, found: { ...entity, agent: null }, position: entity.id };
}

const AMONG = sql<{ id: string }>`
SELECT entity_id AS id FROM gateway_entity
WHERE workspace_id = $1::uuid AND type = $2 AND entity_id = ANY($3::text[])`;

/** Lists the actions that are known for a resource, and those that policies name. */
export function* listActionCandidates(
  resource: Entity,
  named: PolicyNames["action"],
  after: string | null,
): Generator<Candidate<string>[]> {
  const tools = resource.type === "tool" ? ["tools/call"] : [];
  const commands = resource.agent === null ? [] : [...BUILT_IN_COMMANDS, CREATE_MISSION];
  const known = new Set([...tools, ...commands]);
  const all = [...known, ...named];
  for (let from = toIndex(after); from < all.length; from += CHUNK) {
    const chunk = all.slice(from, from + CHUNK);
    yield chunk.flatMap((name, at) =>
      from + at >= known.size && known.has(name) ? [] : [{ name, found: name, position: String(from + at) }],
    );
  }
}

import type { ScimFilter } from "../domain/directory/filter.ts";
import type { PatchOperation } from "../domain/directory/patch-operation.ts";
import type { ActorRecord } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { requireScope } from "../domain/kernel/guard.ts";
import type { Prisma, PrismaClient } from "../db/generated/client.ts";
import type { PageRow } from "../domain/kernel/page.ts";
import type { Part } from "../domain/kernel/part.ts";
import type { Scope } from "../domain/kernel/scopes.ts";
import type { TraceSkeleton } from "../domain/traces/skeleton.ts";
import type { TelemetrySource } from "../domain/traces/telemetry.ts";
import type PrismaTypes from "./generated/pothos-types.ts";
import { getDatamodel } from "./generated/pothos-types.ts";
import { parseGlobalId, toGlobalId } from "./global-id.ts";
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import PrismaPlugin from "@pothos/plugin-prisma";
import RelayPlugin from "@pothos/plugin-relay";

/** A model's row, as Prisma or as a page reads it. */
type Models = {
  [Name in keyof PrismaTypes]: Omit<PrismaTypes[Name], "Shape"> & {
    Shape: PrismaTypes[Name]["Shape"] | PageRow<PrismaTypes[Name]["Shape"]>;
  };
};

/** Each file in types/ adds one type, its fields and its operations. */
export const builder = new SchemaBuilder<{
  Context: Ctx;
  PrismaTypes: Models;
  Scalars: {
    Decimal: { Input: string; Output: string | Prisma.Decimal };
    Cursor: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date | string };
    JSON: { Input: unknown; Output: unknown };
    Part: { Input: unknown; Output: Part };
    UUID: { Input: string; Output: string };
    TraceSkeleton: { Input: TraceSkeleton; Output: TraceSkeleton };
    OtlpBatch: { Input: TelemetrySource; Output: TelemetrySource };
    Scope: { Input: string; Output: Scope };
    ID: { Input: string; Output: string };
    DirectoryFilter: { Input: ScimFilter; Output: ScimFilter };
    DirectoryOperation: { Input: PatchOperation; Output: PatchOperation };
  };
  Objects: { Actor: ActorRecord };
  /** A costly total is a function, called only if the field is selected. */
  Connection: { totalCount: number | null | (() => Promise<number | null>); version: string };
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  DefaultFieldNullability: false;
}>({
  plugins: [RelayPlugin, PrismaPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  // All that the plugin calls are models.
  prisma: { client: (ctx) => ctx.db as unknown as PrismaClient, dmmf: getDatamodel(), onUnusedQuery: null },
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10 },
  relay: {
    clientMutationId: "optional",
    encodeGlobalID: (typename, id) => toGlobalId(typename, String(id)),
    decodeGlobalID: (globalId) => parseGlobalId(globalId) ?? { typename: "", id: "" },
    nodesQueryOptions: false,
    nodeQueryOptions: {
      description: "The node with this id, if the caller may read it.",
      resolve: (_root, { id }, ctx, _info, resolveNode) => {
        const { typename } = id;
        return checkNodeScope(ctx, typename) ? resolveNode(id) : null;
      },
    },
    // Multiplied at the page, so that a field of a list counts once.
    edgesFieldOptions: { nullable: { list: false, items: false }, complexity: { field: 1, multiplier: 1 } },
    nodeFieldOptions: { nullable: false },
    nodesOnConnection: { description: "The nodes of this page.", complexity: { field: 1, multiplier: 1 } },
  },
});

builder.queryType({ description: "All reads. Limited to the caller's workspace." });
builder.mutationType({ description: "All writes. Limited to the caller's workspace." });

builder.globalConnectionField("totalCount", (t) =>
  t.int({
    nullable: true,
    description: "The exact number of matches, on all pages. Null if a filter matches more than 10,000.",
    resolve: ({ totalCount }) => (typeof totalCount === "function" ? totalCount() : totalCount),
  }),
);

builder.globalConnectionField("version", (t) =>
  t.exposeString("version", {
    description: "Changes when a row of the list changes, except for an agent's or a robot's last contact.",
  }),
);

/** A Map, so that a type name such as `constructor` finds nothing. */
const SCOPES = new Map<string, Scope>([
  ["Agent", "agents:read"],
  ["AgentCommand", "agent_commands:read"],
  ["Approval", "gateway:read"],
  ["Budget", "gateway:read"],
  ["AlertRule", "events:read"],
  ["Decision", "gateway:read"],
  ["EvalRun", "eval_runs:read"],
  ["Execution", "gateway:read"],
  ["McpCall", "mcp:read"],
  ["McpServer", "mcp:read"],
  ["McpTool", "mcp:read"],
  ["Message", "messages:read"],
  ["Mission", "missions:read"],
  ["ModelPrice", "traces:read"],
  ["Policy", "gateway:read"],
  ["GatewayEntity", "gateway:read"],
  ["Robot", "robots:read"],
  ["Task", "tasks:read"],
  ["Trace", "traces:read"],
]);

/**
 * Whether nodes of this type can be read by their id alone.
 *
 * @throws {DomainError} insufficient_scope or forbidden if the caller may not read such a node.
 */
function checkNodeScope(ctx: Ctx, typename: string): boolean {
  const scope = SCOPES.get(typename);
  if (scope === undefined) return false;
  requireScope(ctx, scope);
  return true;
}

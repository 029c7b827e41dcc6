import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { PatchOperation } from "../../src/domain/directory/patch-operation.ts";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import type { EtagCondition } from "./conditional.ts";
import type { ListRequest } from "./read-list-request.ts";
import type { ScimListPage } from "./list-response.ts";
import type { ResourceNode } from "./resource-json.ts";

export type NodePage = { nodes: readonly ResourceNode[] } & Omit<ScimListPage, "resources">;

/** The resource to write, and the conditions on its version. */
export type WriteTarget = { id: string } & EtagCondition;

/** The operations on a resource type. Each runs one GraphQL document. */
export type Operations = {
  type: ResourceTypeName;
  list: (ctx: Ctx, query: ListQuery) => Promise<NodePage>;
  read: (ctx: Ctx, id: string, members: boolean) => Promise<ResourceNode>;
  create: (ctx: Ctx, attributes: unknown, uuid: string | null) => Promise<ResourceNode>;
  replace: (ctx: Ctx, target: WriteTarget, attributes: unknown) => Promise<ResourceNode>;
  patch: (ctx: Ctx, target: WriteTarget, operations: PatchOperation[]) => Promise<ResourceNode>;
  remove: (ctx: Ctx, target: WriteTarget) => Promise<void>;
};

/** A list request as GraphQL variables. */
export type ListQuery = Omit<ListRequest, "projection"> & { members: boolean };

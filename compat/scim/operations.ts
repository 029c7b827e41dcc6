import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { PatchOperation } from "../../src/domain/directory/patch-operation.ts";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import type { EtagCondition } from "./conditional.ts";
import type { ListRequest } from "./read-list-request.ts";
import type { ScimListPage } from "./list-response.ts";
import type { ResourceNode } from "./resource-json.ts";

/** A page of resources of a type. */
export type NodePage = { nodes: readonly ResourceNode[] } & Omit<ScimListPage, "resources">;

/** Which resource is written to, and what its version is held to. */
export type WriteTarget = { id: string } & EtagCondition;

/** What can be done with the resources of a type: each is one execution of one GraphQL document. */
export type Operations = {
  type: ResourceTypeName;
  list: (ctx: Ctx, query: ListQuery) => Promise<NodePage>;
  read: (ctx: Ctx, id: string, members: boolean) => Promise<ResourceNode>;
  create: (ctx: Ctx, attributes: unknown, uuid: string | null) => Promise<ResourceNode>;
  replace: (ctx: Ctx, target: WriteTarget, attributes: unknown) => Promise<ResourceNode>;
  patch: (ctx: Ctx, target: WriteTarget, operations: PatchOperation[]) => Promise<ResourceNode>;
  remove: (ctx: Ctx, target: WriteTarget) => Promise<void>;
};

/** A list request as GraphQL takes it. */
export type ListQuery = Omit<ListRequest, "projection"> & { members: boolean };

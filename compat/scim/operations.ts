import type { Ctx } from "../../src/domain/context.ts";
import type { Operation } from "../../src/domain/directory/operation.ts";
import type { ResourceTypeName } from "../../src/domain/directory/resource-types.ts";
import type { Condition } from "./conditional.ts";
import type { ListRequest } from "./list-request.ts";
import type { Page } from "./list-response.ts";
import type { ResourceNode } from "./resource-json.ts";

/** A page of resources of a type. */
export type NodePage = { nodes: readonly ResourceNode[] } & Omit<Page, "resources">;

/** Which resource is written to, and what its version is held to. */
export type WriteTarget = { id: string } & Condition;

/** What can be done with the resources of a type: each is one execution of one GraphQL document. */
export type Operations = {
  type: ResourceTypeName;
  list: (ctx: Ctx, query: ListQuery) => Promise<NodePage>;
  read: (ctx: Ctx, id: string, members: boolean) => Promise<ResourceNode>;
  create: (ctx: Ctx, attributes: unknown, uuid: string | null) => Promise<ResourceNode>;
  replace: (ctx: Ctx, target: WriteTarget, attributes: unknown) => Promise<ResourceNode>;
  patch: (ctx: Ctx, target: WriteTarget, operations: Operation[]) => Promise<ResourceNode>;
  remove: (ctx: Ctx, target: WriteTarget) => Promise<void>;
};

/** A list request as GraphQL takes it. */
export type ListQuery = Omit<ListRequest, "projection"> & { members: boolean };

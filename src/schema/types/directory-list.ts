import type { Ctx } from "../../domain/kernel/context.ts";
import type { ScimFilter } from "../../domain/directory/filter.ts";
import { type DirectoryPage, DIRECTORY_PAGE, listDirectory } from "../../domain/directory/list-directory.ts";
import type { Resource } from "../../domain/directory/resource.ts";
import { RESOURCE_TYPE_NAMES, type ResourceTypeName } from "../../domain/directory/resource-types.ts";
import { builder } from "../builder.ts";
import { DirectoryAgent, DirectoryGroup, DirectoryUser } from "./directory-resource.ts";

const DirectoryResource = builder.unionType("DirectoryResource", {
  description: "A user, a group or an agent.",
  types: [DirectoryUser, DirectoryGroup, DirectoryAgent],
  resolveType: ({ type }: Resource) => `Directory${type}` as const,
});

/** Multiplied at the page, so that a field of the list counts once. */
const NODES = { field: 1, multiplier: 1 };

const TOTAL = "The exact number of matches, on all pages.";
const NEXT = "The cursor of the next page. Null on the last page, and for a query without a cursor.";
const PREVIOUS = "The cursor of the previous page. Null on the first page, and for a query without a cursor.";

/** Defines a page of one type of resource, or of all. */
function implementPage(
  name: string,
  description: string,
  node: typeof DirectoryUser | typeof DirectoryResource,
) {
  return builder.objectRef<DirectoryPage>(name).implement({
    description,
    fields: (t) => ({
      nodes: t.field({ type: [node], complexity: NODES, resolve: ({ resources }) => resources }),
      total: t.exposeInt("total", { description: TOTAL }),
      nextCursor: t.exposeString("nextCursor", { nullable: true, description: NEXT }),
      previousCursor: t.exposeString("previousCursor", { nullable: true, description: PREVIOUS }),
    }),
  });
}

const DirectoryUserPage = implementPage("DirectoryUserPage", "A page of users.", DirectoryUser);
const DirectoryGroupPage = implementPage("DirectoryGroupPage", "A page of groups.", DirectoryGroup);
const DirectoryAgentPage = implementPage("DirectoryAgentPage", "A page of agents.", DirectoryAgent);
const DirectoryResourcePage = implementPage(
  "DirectoryResourcePage",
  "A page of users, groups and agents.",
  DirectoryResource,
);

const DirectorySort = builder.inputType("DirectorySort", {
  description: "The attribute to sort by. Without it, the oldest comes first.",
  fields: (t) => ({
    path: t.stringList({ required: true, description: "Attribute names, outermost first." }),
    descending: t.boolean({ defaultValue: false, required: true }),
  }),
});

const DirectoryQuery = builder.inputType("DirectoryQuery", {
  description: "Which users, groups or agents to return, in which order.",
  fields: (t) => ({
    where: t.field({ type: "DirectoryFilter" }),
    sort: t.field({ type: DirectorySort }),
    count: t.int({
      description: "0 to 200. Default: 100, or the size of the page that the cursor is from.",
    }),
    startIndex: t.int({
      defaultValue: 1,
      required: true,
      description: "The position of the first result, from 1.",
    }),
    cursor: t.string({ description: "Empty for the first page, then the cursor from the page before." }),
    members: t.boolean({
      defaultValue: true,
      required: true,
      description: "Whether groups include their members.",
    }),
  }),
});

/** The fields of a DirectoryQuery. */
type Asked = {
  where?: ScimFilter | null | undefined;
  sort?: { path: string[]; descending: boolean } | null | undefined;
  count?: number | null | undefined;
  startIndex: number;
  cursor?: string | null | undefined;
  members: boolean;
};

function list(ctx: Ctx, types: readonly ResourceTypeName[], asked: Asked): Promise<DirectoryPage> {
  const { where = null, sort = null, count = null, cursor = null } = asked;
  return listDirectory(ctx, { ...asked, types, where, sort, count, cursor });
}

/** Assumes the largest page for a cursor, which does not show its page size. */
function pageComplexity({ query }: { query: Pick<Asked, "count" | "cursor"> }) {
  const count = query.count ?? (query.cursor ? DIRECTORY_PAGE.most : DIRECTORY_PAGE.default);
  return { field: 1, multiplier: Math.min(Math.max(count, 1), DIRECTORY_PAGE.most) };
}

builder.queryFields((t) => ({
  directoryUsers: t.field({
    type: DirectoryUserPage,
    description: "The workspace's members. For identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["User"], query),
  }),
  directoryGroups: t.field({
    type: DirectoryGroupPage,
    description: "The workspace's groups. For identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["Group"], query),
  }),
  directoryAgents: t.field({
    type: DirectoryAgentPage,
    description: "The workspace's agents, as SCIM shows them. For identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["Agent"], query),
  }),
  directoryResources: t.field({
    type: DirectoryResourcePage,
    description: "Members, groups and agents in one list. For identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, RESOURCE_TYPE_NAMES, query),
  }),
}));

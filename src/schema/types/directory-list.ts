import type { Ctx } from "../../domain/kernel/context.ts";
import type { ScimFilter } from "../../domain/directory/filter.ts";
import { type DirectoryPage, DIRECTORY_PAGE, listDirectory } from "../../domain/directory/list-directory.ts";
import type { Resource } from "../../domain/directory/resource.ts";
import type { ResourceTypeName } from "../../domain/directory/resource-types.ts";
import { builder } from "../builder.ts";
import { DirectoryGroup, DirectoryUser } from "./directory-resource.ts";

const DirectoryResource = builder.unionType("DirectoryResource", {
  description: "A user or a group.",
  types: [DirectoryUser, DirectoryGroup],
  resolveType: (resource: Resource) => (resource.type === "User" ? "DirectoryUser" : "DirectoryGroup"),
});

/** The page is what multiplies: its list counts each field once. */
const NODES = { field: 1, multiplier: 1 };

const TOTAL = "How many there are in all, on this page or not. Exact.";
const NEXT = "The next page's cursor; null on the last page, and where no cursor was asked for.";
const PREVIOUS = "The cursor of the page before; null on the first page, and where no cursor was asked for.";

const DirectoryUserPage = builder.objectRef<DirectoryPage>("DirectoryUserPage").implement({
  description: "A part of the users.",
  fields: (t) => ({
    nodes: t.field({ type: [DirectoryUser], complexity: NODES, resolve: ({ resources }) => resources }),
    total: t.exposeInt("total", { description: TOTAL }),
    nextCursor: t.exposeString("nextCursor", { nullable: true, description: NEXT }),
    previousCursor: t.exposeString("previousCursor", { nullable: true, description: PREVIOUS }),
  }),
});

const DirectoryGroupPage = builder.objectRef<DirectoryPage>("DirectoryGroupPage").implement({
  description: "A part of the groups.",
  fields: (t) => ({
    nodes: t.field({ type: [DirectoryGroup], complexity: NODES, resolve: ({ resources }) => resources }),
    total: t.exposeInt("total", { description: TOTAL }),
    nextCursor: t.exposeString("nextCursor", { nullable: true, description: NEXT }),
    previousCursor: t.exposeString("previousCursor", { nullable: true, description: PREVIOUS }),
  }),
});

const DirectoryResourcePage = builder.objectRef<DirectoryPage>("DirectoryResourcePage").implement({
  description: "A part of the users and the groups.",
  fields: (t) => ({
    nodes: t.field({ type: [DirectoryResource], complexity: NODES, resolve: ({ resources }) => resources }),
    total: t.exposeInt("total", { description: TOTAL }),
    nextCursor: t.exposeString("nextCursor", { nullable: true, description: NEXT }),
    previousCursor: t.exposeString("previousCursor", { nullable: true, description: PREVIOUS }),
  }),
});

const DirectorySort = builder.inputType("DirectorySort", {
  description: "The attribute that a list is sorted by; without one, the oldest is first.",
  fields: (t) => ({
    path: t.stringList({ required: true, description: "Attributes' names, outermost first." }),
    descending: t.boolean({ defaultValue: false, required: true }),
  }),
});

const DirectoryQuery = builder.inputType("DirectoryQuery", {
  description: "Which of the users or groups, in which order, and which part of them.",
  fields: (t) => ({
    where: t.field({ type: "DirectoryFilter" }),
    sort: t.field({ type: DirectorySort }),
    count: t.int({
      description: "0 to 200; without one 100, or as many as on the page that gave the cursor.",
    }),
    startIndex: t.int({ defaultValue: 1, required: true, description: "The first one's place, from 1." }),
    cursor: t.string({ description: "Empty for the first page; then what the page before gave." }),
    members: t.boolean({
      defaultValue: true,
      required: true,
      description: "Whether groups show their members.",
    }),
  }),
});

/** What a DirectoryQuery holds. */
type Asked = {
  where?: ScimFilter | null | undefined;
  sort?: { path: string[]; descending: boolean } | null | undefined;
  count?: number | null | undefined;
  startIndex: number;
  cursor?: string | null | undefined;
  members: boolean;
};

function list(ctx: Ctx, types: ResourceTypeName[], asked: Asked): Promise<DirectoryPage> {
  const { where = null, sort = null, count = null, cursor = null } = asked;
  return listDirectory(ctx, { ...asked, types, where, sort, count, cursor });
}

/** A cursor does not show how many it asks for. */
function pageComplexity({ query }: { query: Pick<Asked, "count" | "cursor"> }) {
  const count = query.count ?? (query.cursor ? DIRECTORY_PAGE.most : DIRECTORY_PAGE.default);
  return { field: 1, multiplier: Math.min(Math.max(count, 1), DIRECTORY_PAGE.most) };
}

builder.queryFields((t) => ({
  directoryUsers: t.field({
    type: DirectoryUserPage,
    description: "The workspace's members, for identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["User"], query),
  }),
  directoryGroups: t.field({
    type: DirectoryGroupPage,
    description: "The groups of members, for identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["Group"], query),
  }),
  directoryResources: t.field({
    type: DirectoryResourcePage,
    description: "Members and groups together, for identity providers and admins.",
    args: { query: t.arg({ type: DirectoryQuery, required: true }) },
    complexity: pageComplexity,
    resolve: (_root, { query }, ctx) => list(ctx, ["User", "Group"], query),
  }),
}));

import type { PrismaClient } from "./generated/client.ts";

/** A Prisma client that reads and writes the rows of one workspace and can't reach any other. */
export type TenantDb = ReturnType<typeof bindToWorkspace>;

/** The same client inside a transaction. */
export type TenantTransaction = Parameters<Parameters<TenantDb["$transaction"]>[0]>[0];

type Args = Record<string, unknown>;

/**
 * Binds a client to a workspace: it is added to every `where` and to every row that is written.
 * An operation that can't be bound, or that names another workspace, throws.
 */
export function bindToWorkspace(prisma: PrismaClient, workspaceId: string) {
  return prisma.$extends({
    name: "workspace",
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) =>
          // The arguments keep their shape; only the workspace is added.
          query(bound(model, operation, args as Args, workspaceId) as typeof args),
      },
    },
  });
}

function bound(model: string, operation: string, args: Args, workspaceId: string): Args {
  const key = model === "Workspace" ? "id" : "workspaceId";
  const where = () => boundWhere(args["where"], key, workspaceId);
  const row = (data: unknown) => boundRow(data, key, workspaceId);
  switch (operation) {
    case "findUnique":
    case "findUniqueOrThrow":
    case "findFirst":
    case "findFirstOrThrow":
    case "findMany":
    case "count":
    case "aggregate":
    case "groupBy":
    case "delete":
    case "deleteMany":
      return { ...args, where: where() };
    case "update":
    case "updateMany":
    case "updateManyAndReturn":
      return { ...args, where: where(), data: unmoved(args["data"], key, workspaceId) };
    case "create":
      return { ...args, data: row(args["data"]) };
    case "createMany":
    case "createManyAndReturn":
      return { ...args, data: Array.isArray(args["data"]) ? args["data"].map(row) : row(args["data"]) };
    case "upsert":
      return {
        ...args,
        where: where(),
        create: row(args["create"]),
        update: unmoved(args["update"], key, workspaceId),
      };
    default:
      throw new Error(`${model}.${operation} can't be bound to a workspace`);
  }
}

function boundWhere(where: unknown, key: string, workspaceId: string): Args {
  const given = isArgs(where) ? where : {};
  for (const value of Object.values(given)) {
    // A compound key such as workspaceId_id.
    if (isArgs(value) && Object.hasOwn(value, key)) return unmoved(given, key, workspaceId, value);
  }
  return { ...unmoved(given, key, workspaceId), [key]: workspaceId };
}

function boundRow(data: unknown, key: string, workspaceId: string): Args {
  if (!isArgs(data)) throw new Error("a row without data can't be bound to a workspace");
  return { ...unmoved(data, key, workspaceId), [key]: workspaceId };
}

function unmoved(data: unknown, key: string, workspaceId: string, holder: unknown = data): Args {
  if (!isArgs(data)) return {};
  const named = isArgs(holder) ? holder[key] : undefined;
  if (named !== undefined && named !== workspaceId) {
    throw new Error("the operation names another workspace than the caller's");
  }
  return data;
}

function isArgs(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

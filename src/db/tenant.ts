import { Prisma, type PrismaClient } from "./generated/client.ts";

/** A Prisma client that reads and writes the rows of one workspace and can't reach any other. */
export type TenantDb = ReturnType<typeof bindToWorkspace>;

/** The same client inside a transaction. */
export type TenantTransaction = Parameters<Parameters<TenantDb["$transaction"]>[0]>[0];

type Args = Record<string, unknown>;

/** Waits for a turn, and runs work in it. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** How a client's operations wait: look-ups by key, of which Prisma makes one where many begin at once, the others. */
export type Turns = Record<"lookUp" | "read" | "write", Turn>;

const NO_TURNS: Turns = { lookUp: (work) => work(), read: (work) => work(), write: (work) => work() };

/**
 * Binds a client to a workspace: it is added to every `where` and to every row that is written.
 * An operation that can't be bound, or that names another workspace, throws.
 *
 * @param turns for a client that begins no transaction: in one, a turn could be waited for while locks are held.
 */
export function bindToWorkspace(prisma: PrismaClient, workspaceId: string, turns = NO_TURNS) {
  return prisma.$extends({
    name: "workspace",
    query: {
      // A statement of its own: most lock what they change.
      $queryRawUnsafe: ({ args, query }) => turns.write(() => query(args)),
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => {
          const key = model === "Workspace" ? "id" : "workspaceId";
          // oxlint-disable-next-line import/namespace -- model is one of the names in it
          const columns = Prisma[`${model}ScalarFieldEnum`];
          const own = bindArgs({ key, workspaceId, columns }, operation, args);
          return turns[getLaneKind(operation)](() => query(own));
        },
      },
    },
  });
}

function getLaneKind(operation: string): keyof Turns {
  if (operation.startsWith("findUnique")) return "lookUp";
  return /^(?:create|update|upsert|delete)/.test(operation) ? "write" : "read";
}

/** A workspace, and of a model the field that holds it and every column by its name. */
type Tenant = { key: "id" | "workspaceId"; workspaceId: string; columns: object };

function bindArgs(tenant: Tenant, operation: string, args: Args): Args {
  const { where, data, create, update } = args;
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
      return { ...args, where: bindWhere(tenant, where) };
    case "update":
    case "updateMany":
    case "updateManyAndReturn":
      return { ...args, where: bindWhere(tenant, where), data: bindChange(tenant, data) };
    case "create":
      return { ...args, data: bindRow(tenant, data) };
    case "createMany":
    case "createManyAndReturn":
      return { ...args, data: [data].flat().map((row) => bindRow(tenant, row)) };
    case "upsert":
      return {
        ...args,
        where: bindWhere(tenant, where),
        create: bindRow(tenant, create),
        update: bindChange(tenant, update),
      };
    default:
      throw new Error(`${operation} can't be bound to a workspace`);
  }
}

function bindWhere(tenant: Tenant, where: unknown): Args {
  const given = isArgs(where) ? where : {};
  // A compound key such as workspaceId_id holds the workspace itself.
  const [, compound] = Object.entries(given).find(([name]) => name.startsWith(`${tenant.key}_`)) ?? [];
  if (!isArgs(compound)) return { ...requireSameWorkspace(tenant, given), [tenant.key]: tenant.workspaceId };
  if (compound[tenant.key] === undefined)
    throw new Error("a key without its workspace can't be bound to one");
  requireSameWorkspace(tenant, compound);
  return requireSameWorkspace(tenant, given);
}

function bindRow(tenant: Tenant, row: unknown): Args {
  if (!isArgs(row)) throw new Error("a row without data can't be bound to a workspace");
  return { ...bindChange(tenant, row), [tenant.key]: tenant.workspaceId };
}

/** Only columns are written: through a relation a row could be made, moved or changed in another workspace. */
function bindChange(tenant: Tenant, change: unknown): Args {
  const given = requireSameWorkspace(tenant, change);
  const other = Object.keys(given).find((name) => !Object.hasOwn(tenant.columns, name));
  if (other === undefined) return given;
  throw new Error(`${other} is not a column, so writing it can't be bound to a workspace`);
}

/** What is given, held not to name another workspace. */
function requireSameWorkspace({ key, workspaceId }: Tenant, given: unknown): Args {
  if (!isArgs(given)) return {};
  const named = given[key];
  if (named === undefined || named === workspaceId) return given;
  throw new Error("the operation names another workspace than the caller's");
}

function isArgs(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

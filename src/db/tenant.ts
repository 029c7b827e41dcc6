import { Prisma, type PrismaClient } from "./generated/client.ts";

type BoundClient = ReturnType<typeof bindToWorkspace>;

/** A Prisma client that can only read and write the rows of one workspace. It can't run SQL. */
export type TenantDb = Pick<BoundClient, Exclude<keyof BoundClient, `$${string}`>>;

type Args = Record<string, unknown>;

/** Waits for a turn, and runs work in it. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * How a client's operations wait. Look-ups by key are separate, because Prisma combines those that start
 * together.
 */
export type Turns = Record<"lookUp" | "read" | "write", Turn>;

const NO_TURNS: Turns = { lookUp: (work) => work(), read: (work) => work(), write: (work) => work() };

/**
 * Binds a client to a workspace, which is added to every `where` and every written row. Throws for
 * operations that can't be bound or that name another workspace.
 *
 * @param turns for a client outside transactions: inside one, it could wait for a turn while holding locks.
 */
export function bindToWorkspace(prisma: PrismaClient, workspaceId: string, turns = NO_TURNS) {
  return prisma.$extends({
    name: "workspace",
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => {
          const key = model === "Workspace" ? "id" : "workspaceId";
          // oxlint-disable-next-line import/namespace -- model is one of its names
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

/** The workspace, the model's field for it, and the model's columns by name. */
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
  // A compound key such as workspaceId_id includes the workspace.
  const [, compound] = Object.entries(given).find(([name]) => name.startsWith(`${tenant.key}_`)) ?? [];
  if (!isArgs(compound)) return { ...requireSameWorkspace(tenant, given), [tenant.key]: tenant.workspaceId };
  if (compound[tenant.key] === undefined)
    throw new Error("a key without its workspace can't be bound to a workspace");
  requireSameWorkspace(tenant, compound);
  return requireSameWorkspace(tenant, given);
}

function bindRow(tenant: Tenant, row: unknown): Args {
  if (!isArgs(row)) throw new Error("a row without data can't be bound to a workspace");
  return { ...bindChange(tenant, row), [tenant.key]: tenant.workspaceId };
}

/** Only columns may be written: a relation could create, move or change rows of another workspace. */
function bindChange(tenant: Tenant, change: unknown): Args {
  const given = requireSameWorkspace(tenant, change);
  const other = Object.keys(given).find((name) => !Object.hasOwn(tenant.columns, name));
  if (other === undefined) return given;
  throw new Error(`${other} is not a column, so writing it can't be bound to a workspace`);
}

/** Checks that the values don't name another workspace. */
function requireSameWorkspace({ key, workspaceId }: Tenant, given: unknown): Args {
  if (!isArgs(given)) return {};
  const named = given[key];
  if (named === undefined || named === workspaceId) return given;
  throw new Error("the operation names another workspace than the caller's");
}

function isArgs(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A client that is opened at its first operation. */
export function createLazyClient(open: () => Promise<TenantDb>): TenantDb {
  type Model = Record<string, (args: unknown) => Promise<unknown>>;
  let client: Promise<Record<string, Model>> | null = null;
  function getModel(model: string): Model {
    async function call(operation: string, args: unknown): Promise<unknown> {
      client ??= open() as Promise<unknown> as Promise<Record<string, Model>>;
      return (await client)[model]?.[operation]?.(args);
    }
    return new Proxy<Model>({}, { get: (_, operation) => (args: unknown) => call(String(operation), args) });
  }
  return new Proxy({}, { get: (_, model) => getModel(String(model)) }) as TenantDb;
}

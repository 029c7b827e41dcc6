import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg, { type Pool, type PoolClient, type QueryArrayConfig, type QueryArrayResult } from "pg";

/** The only connection for migrations, so that a lock and a transaction around them apply. */
export type MigrationConnection = {
  url: string;
  client: PoolClient;
  pool: Pool;
  /** The last error of PostgreSQL for the engine. */
  lastError: unknown;
};

/** No table or enum is hidden from the engine. */
export const noFilters = { externalTables: [], externalEnums: [] };

const characterOid = 18;
const textOid = 25;

/** Returns this package's folder `prisma`, from the sources or from dist. */
export function prismaFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) {
    if (dirname(folder) === folder) throw new Error(`There is no package.json above ${import.meta.dirname}.`);
    folder = dirname(folder);
  }
  return join(folder, "prisma");
}

/** Reads a folder `migrations` as Prisma does. */
export async function readMigrations(folder: string): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const lockFile = join(folder, "migration_lock.toml");
  return {
    baseDir: folder,
    lockfile: {
      path: "migration_lock.toml",
      content: existsSync(lockFile) ? await readFile(lockFile, "utf8") : null,
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.toSorted().map(async (name) => {
        const value = await readFile(join(folder, name, "migration.sql"), "utf8");
        return {
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value } },
        };
      }),
    ),
  };
}

/** Opens a connection for `withEngine`. Close it with `closeConnection`. */
export async function openConnection(url: string): Promise<MigrationConnection> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "agent-ops-migrate" });
  pool.on("error", () => undefined);
  try {
    const client = await pool.connect();
    // Running and later statements report a lost connection.
    client.on("error", () => undefined);
    return { url, client, pool, lastError: undefined };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Closes the connection, which releases its locks and rolls back. */
export async function closeConnection(connection: MigrationConnection): Promise<void> {
  connection.client.release(true);
  await connection.pool.end();
}

export async function withEngine<Result>(
  connection: MigrationConnection,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const [Engine, { bindMigrationAwareSqlAdapterFactory }] = await Promise.all([
    loadEngine(),
    import("@prisma/driver-adapter-utils"),
  ]);
  const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(connection));
  const datamodel = 'datasource db {\n  provider = "postgresql"\n}\n';
  const engine = await Engine.new({ datamodels: [["schema.prisma", datamodel]] }, () => undefined, factory);
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}

/**
 * Compares the Prisma schema with the migrations, applied to a temporary database.
 *
 * @param databaseUrl a database whose user can create others.
 * @returns the SQL from the migrations to the schema; undefined if they match.
 */
export async function diffFromMigrations(
  databaseUrl: string,
  folder = prismaFolder(),
): Promise<string | undefined> {
  const connection = await openConnection(databaseUrl);
  try {
    const migrations = await readMigrations(join(folder, "migrations"));
    const content = await readFile(join(folder, "schema.prisma"), "utf8");
    const result = await withEngine(connection, (engine) =>
      engine.diff({
        from: { tag: "migrations", ...migrations },
        to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] },
        script: true,
        exitCode: true,
        filters: noFilters,
      }),
    );
    return result.exitCode === 0 ? undefined : (result.stdout ?? "");
  } finally {
    await closeConnection(connection);
  }
}

// Node 20's types leave WebAssembly to the DOM's.
declare const WebAssembly: {
  instantiate: (
    bytes: Uint8Array,
    imports: object,
  ) => Promise<{ instance: { exports: { __wbindgen_start: () => void } } }>;
};

let loading: Promise<typeof SchemaEngine> | undefined;

// Loaded once per process: the bindings keep the instance in a module variable.
function loadEngine(): Promise<typeof SchemaEngine> {
  loading ??= instantiate();
  return loading;
}

async function instantiate(): Promise<typeof SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const path = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(join(dirname(path), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  // The engine sets its panic message here. Otherwise the panic would be hidden by a TypeError.
  const registry = { set_message: (message: string) => void (registry.message = message), message: "" };
  if (!Reflect.has(globalThis, "PRISMA_WASM_PANIC_REGISTRY")) {
    Reflect.set(globalThis, "PRISMA_WASM_PANIC_REGISTRY", registry);
  }
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

function adapterFactory(connection: MigrationConnection): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => adapt(connection),
    connectToShadowDb: () => connectToShadow(connection),
  };
}

// PrismaPg's own drops the database before its connections are closed, and with a URL uses the real database.
async function connectToShadow(connection: MigrationConnection): Promise<SqlDriverAdapter> {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  const url = new URL(connection.url);
  url.pathname = `/${name}`;
  await connection.client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const shadow = await openConnection(url.href);
  const adapter = await adapt(shadow);
  return Object.assign(adapter, {
    dispose: async () => {
      await closeConnection(shadow);
      await connection.client.query(`DROP DATABASE ${pg.escapeIdentifier(name)}`);
    },
  });
}

// PrismaPg with three changes: everything uses our one connection; a script runs as a whole, as with Prisma's
// own driver, instead of being split at semicolons (which breaks functions, strings and atomicity); and
// columns of type "char", as in pg_constraint, are read.
async function adapt(connection: MigrationConnection): Promise<SqlDriverAdapter> {
  const { PrismaPg } = await import("@prisma/adapter-pg");
  const { ColumnTypeEnum } = await import("@prisma/driver-adapter-utils");
  const characters = new WeakMap<unknown[][], number[]>();
  async function query(config: QueryArrayConfig): Promise<QueryArrayResult> {
    const result = await queryOver(connection, config);
    // A script with several statements has several results.
    if (!Array.isArray(result)) characters.set(result.rows, hideCharacters(result));
    return result;
  }
  const adapter = await new PrismaPg(Object.assign(connection.pool, { query })).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    executeScript: async (sql: string) => void (await adapter.executeRaw({ sql, args: [], argTypes: [] })),
    queryRaw: async (statement: Parameters<typeof queryRaw>[0]) => {
      const result = await queryRaw(statement);
      for (const index of characters.get(result.rows) ?? [])
        result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    },
  });
}

async function queryOver(
  connection: MigrationConnection,
  config: QueryArrayConfig,
): Promise<QueryArrayResult> {
  try {
    return await connection.client.query(config);
  } catch (error) {
    connection.lastError ??= error;
    throw error;
  }
}

function hideCharacters(result: QueryArrayResult): number[] {
  const indexes = result.fields.flatMap((field, index) => (field.dataTypeID === characterOid ? [index] : []));
  for (const field of result.fields) if (field.dataTypeID === characterOid) field.dataTypeID = textOid;
  return indexes;
}

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg, { type Pool, type PoolClient, type QueryArrayConfig, type QueryArrayResult } from "pg";

/** The one connection that migrations run over, so that a lock and a transaction around them hold. */
export type MigrationConnection = {
  url: string;
  client: PoolClient;
  pool: Pool;
  /** The last thing that PostgreSQL refused on the engine's behalf. */
  lastError: unknown;
};

/** Nothing is hidden from the engine. */
export const noFilters = { externalTables: [], externalEnums: [] };

const characterOid = 18;
const textOid = 25;

/** The folder `prisma` of this package, found from the sources and from dist alike. */
export function prismaFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) {
    if (dirname(folder) === folder) throw new Error(`There is no package.json above ${import.meta.dirname}.`);
    folder = dirname(folder);
  }
  return join(folder, "prisma");
}

/** Reads a folder `migrations` the way Prisma does. */
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

/** Opens a connection for `withEngine` and `closeConnection`. */
export async function openConnection(url: string): Promise<MigrationConnection> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "agent-ops-migrate" });
  pool.on("error", () => undefined);
  try {
    const client = await pool.connect();
    // A lost connection shows in the statement that is running, or in the next one.
    client.on("error", () => undefined);
    return { url, client, pool, lastError: undefined };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Closes the connection, and with it every lock and open transaction. */
export async function closeConnection(connection: MigrationConnection): Promise<void> {
  connection.client.release(true);
  await connection.pool.end();
}

/** Runs Prisma's schema engine over a connection. */
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
 * Compares the migrations, applied to an empty database beside the given one, with the Prisma schema.
 *
 * @param databaseUrl names a database whose user may create others.
 * @returns the SQL that leads from the migrations to the schema, or `undefined` when they agree.
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

// The types of Node 20 leave WebAssembly to the DOM's.
declare const WebAssembly: {
  instantiate: (
    bytes: Uint8Array,
    imports: object,
  ) => Promise<{ instance: { exports: { __wbindgen_start: () => void } } }>;
};

let loading: Promise<typeof SchemaEngine> | undefined;

// Once for each process, as the bindings keep the instance in a variable of their module.
function loadEngine(): Promise<typeof SchemaEngine> {
  loading ??= instantiate();
  return loading;
}

async function instantiate(): Promise<typeof SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const path = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(join(dirname(path), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  // Where the engine leaves its last words if it panics; without it the panic is lost in a TypeError.
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

// PrismaPg's own would drop the database before it closes its connections, and with a URL would use the real one.
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

// PrismaPg, with three things mended: everything runs over our one connection; a script runs whole, as with
// Prisma's own driver, rather than cut at each semicolon (which breaks functions, strings and atomicity); and
// columns of the type "char", which pg_constraint has, are read.
async function adapt(connection: MigrationConnection): Promise<SqlDriverAdapter> {
  const { PrismaPg } = await import("@prisma/adapter-pg");
  const { ColumnTypeEnum } = await import("@prisma/driver-adapter-utils");
  const characters = new WeakMap<unknown[][], number[]>();
  async function query(config: QueryArrayConfig): Promise<QueryArrayResult> {
    const result = await queryOver(connection, config);
    // A script of several statements has several results.
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

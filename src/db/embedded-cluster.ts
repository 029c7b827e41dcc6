import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { findBinaries, type Binaries } from "./embedded-binaries.ts";
import { hasCode, isProcessRunning, run, type SystemUser } from "./embedded-run.ts";
import { assertReachable, chooseUser } from "./embedded-user.ts";

/** A cluster on disk: PostgreSQL's folder `data`, its log, and the user and programs that run it. */
export type Cluster = {
  directory: string;
  home: string;
  data: string;
  log: string;
  user: SystemUser;
  binaries: Binaries;
  isDurable: boolean;
};

/** How to connect to a cluster. `port` is the last one it used. */
export type ClusterState = z.infer<typeof stateSchema>;

const stateSchema = z.object({ user: z.string(), password: z.string(), port: z.int().min(1).max(65_535) });

/** Opens the cluster in `directory`, creating it if necessary. Does not start it. */
export async function openCluster(directory: string, isDurable: boolean, port: number): Promise<Cluster> {
  const home = join(resolve(directory), "cluster");
  const [binaries, user] = await Promise.all([findBinaries(), chooseUser(home)]);
  const cluster = { ...layOut(await makeFolder(directory, user)), user, binaries, isDurable };
  await assertReachable(cluster.directory, user);
  await assertReachable(binaries.postgres, user);
  await removeLeftovers(cluster.directory);
  if (!(await exists(cluster.home))) await createCluster(cluster, port);
  return cluster;
}

/** Reads the user, the password and the last port. */
export async function readState(cluster: Cluster): Promise<ClusterState> {
  const file = statePath(cluster.home);
  try {
    return stateSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (cause) {
    throw new Error(
      `${file} contains the password of the database in ${cluster.data} and can't be read. Restore it from a backup.`,
      { cause },
    );
  }
}

/** Replaces the state atomically. Only its owner can read it. */
export async function writeState(cluster: Cluster, state: ClusterState): Promise<void> {
  const draft = `${statePath(cluster.home)}.${randomBytes(6).toString("hex")}`;
  await writePrivate(draft, JSON.stringify(state), cluster.user);
  await rename(draft, statePath(cluster.home));
}

async function makeFolder(directory: string, user: SystemUser): Promise<string> {
  // Parents get the default mode: the account that runs PostgreSQL must be able to enter them.
  await mkdir(dirname(resolve(directory)), { recursive: true });
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  try {
    if (user) await chown(directory, user.uid, user.gid);
    await chmod(directory, 0o700);
  } catch (cause) {
    throw new Error(`${directory} belongs to another user. Run this program as that user, or set DATA_DIR.`, {
      cause,
    });
  }
  return await realpath(directory);
}

function layOut(directory: string): Pick<Cluster, "directory" | "home" | "data" | "log"> {
  const home = join(directory, "cluster");
  return { directory, home, data: join(home, "data"), log: join(directory, "postgres.log") };
}

// Creates the cluster in a temporary folder and renames it when it is complete, so that a crash leaves
// nothing incomplete. Of two concurrent starts, the first rename wins.
async function createCluster(cluster: Cluster, port: number): Promise<void> {
  const home = join(cluster.directory, `cluster.${process.pid}.${randomBytes(6).toString("hex")}.new`);
  try {
    await mkdir(home, { mode: 0o700 });
    if (cluster.user) await chown(home, cluster.user.uid, cluster.user.gid);
    await initialise({ ...cluster, home, data: join(home, "data") }, port);
    await rename(home, cluster.home);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    if (!(await exists(cluster.home))) throw error;
  }
}

async function initialise(cluster: Cluster, port: number): Promise<void> {
  const state = { user: "agent_ops", password: randomBytes(32).toString("base64url"), port };
  const passwordFile = join(cluster.home, "password");
  await writePrivate(passwordFile, state.password, cluster.user);
  const options = [
    `--pgdata=${cluster.data}`,
    `--username=${state.user}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    // With this, lower() handles letters beyond ASCII, the order is by code point, and neither depends on the
    // system's locales.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    // Syncing takes 0.1 s, and later checkpoints don't flush initdb's files.
    ...(cluster.isDurable ? [] : ["--no-sync"]),
  ];
  const { user } = cluster;
  const { ok, output } = await run(cluster.binaries.initdb, options, { user, cwd: cluster.directory });
  if (!ok) throw new Error(`PostgreSQL can't create its data folder in ${cluster.directory}: ${output}`);
  await rm(passwordFile);
  await writeState(cluster, state);
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = /^cluster\.(\d+)\.[0-9a-f]+\.new$/.exec(name)?.[1];
    if (!pid || isProcessRunning(Number(pid))) continue;
    // Its initdb may still be writing. It fails when a file is missing, and then the rest can be removed.
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function statePath(home: string): string {
  return join(home, "state.json");
}

async function writePrivate(file: string, text: string, user: SystemUser): Promise<void> {
  // Flushed, so that a power failure can't leave a database without its password.
  await writeFile(file, text, { mode: 0o600, flag: "wx", flush: true });
  if (user) await chown(file, user.uid, user.gid);
}

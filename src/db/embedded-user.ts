import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { run, type SystemUser } from "./embedded-run.ts";

/**
 * Chooses the account that runs PostgreSQL, which does not run as root: the current one or, as root, the
 * owner of the existing cluster or the account `postgres`, created if necessary.
 */
export async function chooseUser(clusterFolder: string): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp("postgres")) ?? (await createAccount("postgres"));
}

/**
 * Checks that the account can enter a folder and all of its parents.
 *
 * @throws {Error} names the first folder that it can't enter.
 */
export async function assertReachable(folder: string, user: SystemUser): Promise<void> {
  if (!user) return;
  for (const parent of listParents(folder)) {
    const { mode, uid, gid } = await stat(parent);
    const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & execute) === 0) {
      throw new Error(
        `PostgreSQL can't run as root, and the account it runs as (uid ${user.uid}) can't enter ${parent}, a parent of ${folder}. Run this program as another user, move it and DATA_DIR out of ${parent}, allow access with chmod o+x, or set DATABASE_URL to a PostgreSQL server.`,
      );
    }
  }
}

async function lookUp(name: string): Promise<SystemUser> {
  const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

async function createAccount(name: string): Promise<SystemUser> {
  // Either may fail because of a concurrent start. What counts is that the account exists afterwards.
  await run("groupadd", ["--system", name]);
  const created = await run("useradd", [
    "--system",
    "--no-create-home",
    "--gid",
    name,
    "--shell",
    "/bin/false",
    name,
  ]);
  const user = await lookUp(name);
  if (user) return user;
  throw new Error(
    `PostgreSQL can't run as root, and the account ${name} could not be created (${created.output}). Create it, run this program as another user, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [...listParents(parent), parent];
}

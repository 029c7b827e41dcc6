import { access, constants, statfs } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { type Finding, fail, ok, warn } from "../../db/diagnosis/finding.ts";

const GIB = 1_073_741_824;

/** Looks at the disk of the data folder, on which the embedded database is too. */
export async function examineDisk({ dataDir }: Pick<Config, "dataDir">): Promise<Finding> {
  const check = "disk";
  const folder = await findExisting(dataDir);
  try {
    await access(folder, constants.W_OK);
  } catch {
    return fail(check, `${folder} can't be written`, "Give its user the right, or set DATA_DIR.");
  }
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const percent = Math.floor((100 * bavail) / Math.max(blocks, 1));
  const found = `${(free / GIB).toFixed(1)} GiB (${percent} %) are free in ${folder}`;
  if (free < 0.2 * GIB || percent < 2)
    return fail(check, found, "Make room: without it nothing can be written.");
  return free < GIB || percent < 10 ? warn(check, found, "Make room, or move DATA_DIR.") : ok(check, found);
}

/** The folder itself, or the nearest one above it that exists. */
async function findExisting(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists || parent === folder ? folder : findExisting(parent);
}

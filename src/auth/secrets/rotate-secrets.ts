import type { Services } from "../../domain/kernel/services.ts";
import type { SealedBox } from "./sealed-box.ts";
import { SEALED_COLUMNS, type SealedColumn, getSealedPlace } from "./sealed-columns.ts";

/** How many secrets were sealed anew, and how many no key opens. */
export type RotatedSecrets = { sealed: number; unreadable: number };

/**
 * Seals all secrets of all workspaces with the first key. Those that already are stay as they are. It can be repeated,
 * and servers may run meanwhile if they have all keys.
 */
export async function rotateSecrets(
  services: Pick<Services, "database">,
  box: SealedBox,
): Promise<RotatedSecrets> {
  const rotated = { sealed: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS) {
    const { sealed, unreadable } = await rotateColumn(services, box, column);
    rotated.sealed += sealed;
    rotated.unreadable += unreadable;
  }
  return rotated;
}

async function rotateColumn(
  { database }: Pick<Services, "database">,
  box: SealedBox,
  column: SealedColumn,
): Promise<RotatedSecrets> {
  const rotated = { sealed: 0, unreadable: 0 };
  for (const row of await database.run(column.list, [])) {
    const { workspaceId, id, sealed: before } = row;
    if (box.isCurrent(before)) continue;
    const place = getSealedPlace(column, row);
    const secret = box.open(before, place);
    if (secret === null) {
      rotated.unreadable++;
      continue;
    }
    const replaced = await database.run(column.replace, [workspaceId, id, before, box.seal(secret, place)]);
    // What somebody has changed meanwhile is sealed with the first key already.
    rotated.sealed += replaced.length;
  }
  return rotated;
}

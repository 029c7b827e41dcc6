import type { Client } from "urql";
import { graphql } from "./graphql.ts";
import { type UserProblem, toProblem } from "./problem.ts";
import { createStore } from "./store.ts";

const ArchiveItem = graphql(`
  mutation ArchiveInboxItem($key: String!) {
    archiveInboxItem(input: { key: $key }) {
      archivedInboxItems
    }
  }
`);

const UnarchiveItem = graphql(`
  mutation UnarchiveInboxItem($key: String!) {
    unarchiveInboxItem(input: { key: $key }) {
      archivedInboxItems
    }
  }
`);

/** What was archived (true) or brought back (false) here, and is not yet in what was read. */
export const movedItems = createStore<ReadonlyMap<string, boolean>>(new Map());

/** Archives what waits, or brings it back. It is shown so at once. @returns why it failed, or null. */
export async function setArchived(
  client: Client,
  key: string,
  isArchived: boolean,
): Promise<UserProblem | null> {
  movedItems.set(new Map(movedItems.get()).set(key, isArchived));
  const { error } = await client.mutation(isArchived ? ArchiveItem : UnarchiveItem, { key }).toPromise();
  if (error === undefined) return null;
  forget([key]);
  return toProblem(error);
}

/** What is archived: what was read, and what was moved since. */
export function applyMoves(
  saved: readonly string[],
  moved: ReadonlyMap<string, boolean>,
): ReadonlySet<string> {
  const keys = new Set(saved);
  for (const [key, isArchived] of moved) {
    if (isArchived) keys.add(key);
    else keys.delete(key);
  }
  return keys;
}

/** Forgets the moves that are in what was read. */
export function settleMoves(saved: readonly string[]): void {
  const keys = new Set(saved);
  forget(
    [...movedItems.get()].filter(([key, isArchived]) => keys.has(key) === isArchived).map(([key]) => key),
  );
}

function forget(keys: readonly string[]): void {
  if (keys.length === 0) return;
  const left = new Map(movedItems.get());
  for (const key of keys) left.delete(key);
  movedItems.set(left);
}

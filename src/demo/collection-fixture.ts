import type { Transaction } from "../domain/kernel/context.ts";
import type { Collection, ConversationChange, TotalChange } from "../domain/kernel/events.ts";
import type { PastEvent } from "./history.ts";
import type { DemoWorld } from "./demo-world.ts";

/** The demo's rows of one collection, created unit by unit and always the same. */
export type CollectionFixture<Row extends { id: string }> = {
  collection: Collection;
  table: string;
  units: number;
  /** A unit is a group of rows that belong together: a single row, or a thread of messages. */
  buildRows: (world: DemoWorld, unit: number) => Row[];
  /** Inserts rows with everything that depends on them. */
  insert: (tx: Transaction, rows: Row[], world: DemoWorld) => Promise<void>;
  /** The history of a unit's rows. Each row's creation comes first. */
  buildHistory: (world: DemoWorld, unit: number) => PastEvent[];
  /** The row's status, if the collection has one. */
  getStatus: (row: Row) => string | null;
  /** What inserting these rows changed in other collections. */
  alsoChanged?: (rows: Row[]) => TotalChange[];
  /** The conversations that these rows belong to. */
  listConversations?: (rows: Row[]) => ConversationChange[];
};

import type { Transaction } from "../domain/kernel/context.ts";
import type { Collection, TotalChange } from "../domain/kernel/events.ts";
import type { PastEvent } from "./history.ts";
import type { DemoWorld } from "./demo-world.ts";

/** The rows of one collection that the demo tells, made one unit at a time and the same each time. */
export type CollectionFixture<Row extends { id: string }> = {
  collection: Collection;
  table: string;
  units: number;
  /** A unit is what belongs together: a row, or a thread of messages. */
  buildRows: (world: DemoWorld, unit: number) => Row[];
  /** Inserts rows with all that hangs on them. */
  insert: (tx: Transaction, rows: Row[], world: DemoWorld) => Promise<void>;
  /** What happened to the rows of a unit, each row's creation first. */
  buildHistory: (world: DemoWorld, unit: number) => PastEvent[];
  /** A row's status, where the collection has one. */
  getStatus: (row: Row) => string | null;
  /** What the insertion of these rows changed in other collections. */
  alsoChanged?: (rows: Row[]) => TotalChange[];
};

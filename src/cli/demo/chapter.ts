import type { Transaction } from "../../domain/context.ts";
import type { Collection, TotalChange } from "../../domain/events.ts";
import type { PastEvent } from "./history.ts";
import type { World } from "./world.ts";

/** The rows of one collection that the demo tells, made one unit at a time and the same each time. */
export type Chapter<Row extends { id: string }> = {
  collection: Collection;
  table: string;
  units: number;
  /** A unit is what belongs together: a row, or a thread of messages. */
  rowsOf: (world: World, unit: number) => Row[];
  /** Inserts rows with all that hangs on them. */
  insert: (tx: Transaction, rows: Row[], world: World) => Promise<void>;
  /** What happened to the rows of a unit, each row's creation first. */
  historyOf: (world: World, unit: number) => PastEvent[];
  /** A row's status, where the collection has one. */
  statusOf: (row: Row) => string | null;
  /** What the insertion of these rows changed in other collections. */
  alsoChanged?: (rows: Row[]) => TotalChange[];
};

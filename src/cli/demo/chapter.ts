import type { Transaction } from "../../domain/context.ts";
import type { Appended, Collection, EventInput } from "../../domain/events.ts";
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
  /** The event of a row, and its status where the collection has one. */
  eventOf: (row: Row) => EventInput;
  statusOf: (row: Row) => string | null;
  /** What the insertion of these rows changed in other collections. */
  alsoChanged?: (rows: Row[]) => Required<Pick<Appended, "events" | "totals">>;
};

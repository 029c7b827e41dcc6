import { randomBytes } from "node:crypto";
import pg from "pg";

/** How fast rows were inserted, and the CPU milliseconds of one in this process. */
export type RowsResult = { perSecond: number; nodeMs: number };

type RowsOptions = { connectionString: string; batches: number; size: number; connections: number };

/**
 * Inserts rows like the stored spans by plain multi-row `INSERT`, into a table with its primary key alone: the least that
 * storing them can cost. Without HTTP, decoding, repetitions and sums.
 */
export async function insertSpanRows(options: RowsOptions): Promise<RowsResult> {
  const { connectionString, batches, size, connections } = options;
  const pool = new pg.Pool({ connectionString, max: connections });
  try {
    await pool.query(TABLE);
    const { fields, rows } = await pool.query<(string | null)[]>({
      text: "SELECT * FROM span LIMIT $1",
      values: [size],
      rowMode: "array",
      types: { getTypeParser: () => (text: string) => text },
    });
    if (rows.length < size) throw new Error("there are too few spans");
    const text = writeInsert(fields.length, size);
    const place = fields.findIndex(({ name }) => name === "span_id");
    let left = batches;
    async function insert(): Promise<void> {
      while (left-- > 0) {
        const values = rows.flatMap((row) => row.with(place, `\\x${randomBytes(8).toString("hex")}`));
        await pool.query({ name: "insert", text, values });
      }
    }
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: connections }, insert));
    const seconds = (performance.now() - startedMs) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: (batches * size) / seconds, nodeMs: (user + system) / 1000 / (batches * size) };
  } finally {
    await pool.end();
  }
}

const TABLE = `
CREATE TABLE IF NOT EXISTS peer_span (LIKE span INCLUDING DEFAULTS, PRIMARY KEY (workspace_id, day, trace_id, span_id))`;

function writeInsert(columns: number, rows: number): string {
  const tuples = Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: columns }, (_column, column) => `$${row * columns + column + 1}`);
    return `(${places.join(", ")})`;
  });
  return `INSERT INTO peer_span VALUES ${tuples.join(", ")}`;
}

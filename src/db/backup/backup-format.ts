import { z } from "zod";

/**
 * A backup is a gzip file of text. Its first line is a comment of SQL with this header in JSON. For each table follow
 * the lines that psql and pg_dump use: `COPY "task" ("id", …) FROM stdin;`, a row in each line, and `\.`. Its last line
 * is a comment with the SHA-256 of all bytes before it.
 *
 * @see https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.2
 */
export type BackupHeader = z.infer<typeof headerShape>;

/** A table and its columns in the order of the rows. */
export type BackupTable = { name: string; columns: string[] };

const HEADER = "-- agent-ops backup ";
const CHECKSUM = "-- sha256 ";

/** Ends the rows of a table. */
export const ROWS_END = Buffer.from("\\.\n");

const headerShape = z.object({
  format: z.literal(1),
  /** The version of the program. */
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** Those that the database has, with the checksum of each. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** Of tables with one partition for each day. */
  partitions: z.array(
    z.object({
      table: z.string(),
      name: z.string().regex(/^[a-z_]+_\d{8}$/),
      bounds: z.string().regex(/^FOR VALUES FROM \('[0-9a-f-]+'\) TO \('[0-9a-f-]+'\)$/),
    }),
  ),
});

export function headerLine(header: BackupHeader): string {
  return `${HEADER}${JSON.stringify(header)}\n`;
}

/** Returns null if the line is no header, or that of another format. */
export function parseHeader(line: string): BackupHeader | null {
  if (!line.startsWith(HEADER)) return null;
  try {
    return headerShape.safeParse(JSON.parse(line.slice(HEADER.length))).data ?? null;
  } catch {
    return null;
  }
}

export function checksumLine(sha256: string): string {
  return `${CHECKSUM}${sha256}\n`;
}

/** Returns null if the line is no checksum. */
export function parseChecksum(line: string): string | null {
  return line.startsWith(CHECKSUM) ? line.slice(CHECKSUM.length).trimEnd() : null;
}

export function tableLine({ name, columns }: BackupTable): string {
  return `COPY ${quoteName(name)} (${columns.map(quoteName).join(", ")}) FROM stdin;\n`;
}

/** Returns null if the line does not begin a table. */
export function parseTable(line: string): BackupTable | null {
  const [, name, columns] =
    /^COPY "([a-z_]+)" \(((?:"[a-z0-9_]+"(?:, )?)+)\) FROM stdin;\n$/.exec(line) ?? [];
  if (name === undefined || columns === undefined) return null;
  return { name, columns: columns.split(", ").map((column) => column.slice(1, -1)) };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

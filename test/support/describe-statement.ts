import type pg from "pg";

/** A column of what a statement gives: its name and the OID of its type. */
export type DescribedColumn = { name: string; dataTypeID: number };

type Connection = pg.Connection & {
  parse: (statement: { text: string; name: string }) => void;
  describe: (statement: { type: "S"; name: string }) => void;
  sync: () => void;
};

/** Asks PostgreSQL to parse a statement, by which it finds wrong names and types, and to tell what it gives. */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: DescribedColumn[] = [];
    let failure: Error | null = null;
    const query = {
      submit(connection: Connection): void {
        connection.parse({ text, name: "" });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription(message: { fields: DescribedColumn[] }): void {
        columns = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
      },
      handleError(error: Error): void {
        failure = error;
      },
      handleReadyForQuery(): void {
        if (failure === null) resolve(columns);
        else reject(failure);
      },
    };
    client.query(query as unknown as pg.Submittable);
  });
}

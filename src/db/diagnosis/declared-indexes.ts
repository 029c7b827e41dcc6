/** The name of an index, and the statement that creates it; null for that of a key. */
export type DeclaredIndexes = ReadonlyMap<string, string | null>;

/** Reads from the migrations' SQL, in their order, which indexes there are after them. */
export function readDeclaredIndexes(migrations: readonly string[]): DeclaredIndexes {
  const declared = new Map<string, string | null>();
  for (const statement of migrations.join(";\n").split(/;[^\S\n]*(?:--.*)?\n/)) {
    for (const [, name = ""] of statement.matchAll(/DROP (?:INDEX|CONSTRAINT) "(\w+)"/g))
      declared.delete(name);
    const [create, created] = /CREATE (?:UNIQUE )?INDEX "(\w+)"[^]*/.exec(statement) ?? [];
    if (create !== undefined && created !== undefined) declared.set(created, create.replaceAll(/\s+/g, " "));
    for (const [, name = ""] of statement.matchAll(/CONSTRAINT "(\w+)" (?:PRIMARY KEY|UNIQUE)/g))
      declared.set(name, null);
    const [, from, to] = /ALTER INDEX "(\w+)" RENAME TO "(\w+)"/.exec(statement) ?? [];
    if (from !== undefined && to !== undefined) {
      declared.set(to, declared.get(from)?.replace(from, to) ?? null);
      declared.delete(from);
    }
    changeWithColumns(declared, statement);
  }
  return declared;
}

/** A column's indexes are dropped with it, and name it as it is called. */
function changeWithColumns(declared: Map<string, string | null>, statement: string): void {
  const [, table] = /ALTER TABLE "(\w+)"/.exec(statement) ?? [];
  for (const [, change, column, to] of statement.matchAll(/(DROP|RENAME) COLUMN ("\w+")(?: TO ("\w+"))?/g)) {
    for (const [name, create] of declared) {
      if (column === undefined || !create?.includes(` ON "${table}"`) || !create.includes(column)) continue;
      if (change === "DROP") declared.delete(name);
      else declared.set(name, create.replace(column, to ?? column));
    }
  }
}

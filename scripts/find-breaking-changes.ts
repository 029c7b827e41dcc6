/** A change that servers of the version before can't go on with, by what it looks like. */
const BREAKING: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bDROP (?:TABLE|COLUMN|TYPE|FUNCTION)\b/i, "drops what they use"],
  [/\bRENAME\b/i, "renames what they use"],
  [/\bALTER COLUMN "\w+" (?:SET DATA )?TYPE\b/i, "changes the type of what they read and write"],
  [
    /\bALTER COLUMN "\w+" (?:SET NOT NULL|DROP DEFAULT)\b/i,
    "refuses rows that they write without the column",
  ],
  [
    /\bADD COLUMN (?:(?!\bDEFAULT\b)[^,])*\bNOT NULL\b(?![^,]*\bDEFAULT\b)/i,
    "refuses rows that they write without the column",
  ],
  [/\bADD CONSTRAINT "\w+" (?:CHECK|UNIQUE|EXCLUDE)\b/i, "may refuse rows that they write"],
  [/\bCREATE UNIQUE INDEX\b/i, "may refuse rows that they write"],
  [/\bALTER TYPE "\w+" ADD VALUE\b/i, "lets rows have a value that they don't know"],
];

/** Precedes a statement, with the reason why no server of the version before minds it. */
const ACCEPTED = /^-- contract: \S/m;

/**
 * Finds the statements of a migration after which servers of the version before fail, although they serve on until they
 * are replaced. Tables that the migration creates are new to them.
 */
export function findBreakingChanges(sql: string): string[] {
  const created = new Set([...sql.matchAll(/\bCREATE TABLE "(\w+)"/g)].map(([, table]) => table));
  return sql.split(/;[^\S\n]*(?:\n|$)/).flatMap((statement) => {
    if (ACCEPTED.test(statement)) return [];
    const lines = statement.split("\n").filter((line) => !line.trimStart().startsWith("--"));
    const text = lines.join("\n").trim();
    const [, table] = /\b(?:ALTER TABLE(?: ONLY)?|ON) "(\w+)"/.exec(text) ?? [];
    if (created.has(table)) return [];
    return BREAKING.filter(([pattern]) => pattern.test(text)).map(
      ([, why]) => `${text.replaceAll(/\s+/g, " ").slice(0, 120)}: ${why}`,
    );
  });
}

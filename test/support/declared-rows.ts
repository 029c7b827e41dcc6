import { readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** What the compiler knows of a statement: where it stands, its text without fragments, and its row. */
export type DeclaredStatement = {
  place: string;
  file: string;
  source: string;
  /** The kinds of value that each column may have, such as `string` and `null`; null where no row is declared. */
  row: ReadonlyMap<string, ReadonlySet<string>> | null;
};

/** Finds every statement of the program that {@link sql} makes. */
export function readDeclaredStatements(root: string): DeclaredStatement[] {
  const files = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.startsWith("dashboard"))
    .map((file) => path.join(root, "src", file));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const own = new Set(files);
  const found: DeclaredStatement[] = [];
  for (const file of program.getSourceFiles()) {
    if (own.has(file.fileName)) visit(file, file);
  }
  return found;

  function visit(node: ts.Node, file: ts.SourceFile): void {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === "sql") {
      const [row] = node.typeArguments ?? [];
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({
        file: file.fileName,
        place: `${path.relative(root, file.fileName)}:${line + 1}`,
        source: joinSource(node.template),
        row: row === undefined ? null : readRow(checker.getTypeFromTypeNode(row)),
      });
    }
    ts.forEachChild(node, (child) => visit(child, file));
  }

  function readRow(type: ts.Type): ReadonlyMap<string, ReadonlySet<string>> {
    const row = new Map<string, Set<string>>();
    for (const part of type.isUnion() ? type.types : [type]) {
      for (const property of checker.getPropertiesOfType(part)) {
        const kinds = row.get(property.name) ?? new Set();
        for (const kind of readKinds(checker.getTypeOfSymbol(property))) kinds.add(kind);
        row.set(property.name, kinds);
      }
    }
    return row;
  }

  function readKinds(type: ts.Type): ReadonlySet<string> {
    const parts = type.isUnion() ? type.types : [type];
    return new Set(parts.map((part) => readKind(checker.getBaseTypeOfLiteralType(part))));
  }

  function readKind(type: ts.Type): string {
    const text = checker.typeToString(type);
    if (/^(?:string|number|bigint|boolean|null|undefined|Date)$/.test(text)) return text;
    if (text.startsWith("Uint8Array") || text.startsWith("Buffer")) return "bytes";
    if (type.flags & ts.TypeFlags.StringLike) return "string";
    return checker.isArrayType(type) ? "array" : "json";
  }
}

/** The parts of a template between its fragments. */
function joinSource(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join("…");
}

import path from "node:path";
import ts from "typescript";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The file that the code would be. */
const PLACE = path.join(ROOT, "test/support/code.ts");

/** Compiles a module as if it were in test/support, for Node and browsers, and returns what is wrong with it. */
export function compileCode(code: string): string[] {
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const onDisk = { ...host };
  host.readFile = (file) => (file === PLACE ? code : onDisk.readFile(file));
  host.fileExists = (file) => file === PLACE || onDisk.fileExists(file);
  host.getSourceFile = (file, version, ...rest) =>
    file === PLACE ? ts.createSourceFile(file, code, version) : onDisk.getSourceFile(file, version, ...rest);
  const program = ts.createProgram([PLACE], options, host);
  const file = program.getSourceFile(PLACE);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ messageText, start = 0 }) =>
      `${ts.flattenDiagnosticMessageText(messageText, "\n")}\n${code.slice(start, start + 300)}`,
  );
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  delete options.tsBuildInfoFile;
  const lib = ["lib.es2024.d.ts", "lib.dom.d.ts"];
  return { ...options, lib, types: ["node"], incremental: false, noUnusedLocals: false };
}

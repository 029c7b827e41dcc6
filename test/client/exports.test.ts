import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

const run = promisify(execFile);

let program: string;

/** A separate program with the package as packed by `npm pack`. */
beforeAll(async () => {
  program = await mkdtemp(path.join(tmpdir(), "agent-ops-client-"));
  const checkout = path.join(program, "checkout");
  await mkdir(checkout);
  for (const name of ["package.json", "README.md", "client.ts"]) {
    await cp(path.join(ROOT, "src/client", name), path.join(checkout, name));
  }
  buildClient(path.join(checkout, "dist"));
  const packed = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", program], {
    cwd: checkout,
  });
  const installed = path.join(program, "node_modules", "@agent-ops", "client");
  await mkdir(installed, { recursive: true });
  const tarball = path.join(program, packed.stdout.trim());
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components", "1"]);
  for (const name of ["@types/node", "undici-types"]) {
    await cp(path.join(ROOT, "node_modules", name), path.join(program, "node_modules", name), {
      recursive: true,
    });
  }
  await writeFile(path.join(program, "package.json"), '{ "type": "module" }');
}, 60_000);

/** Builds the client, as scripts/prepare.mjs does. */
function buildClient(outDir: string): void {
  const project = path.join(ROOT, "tsconfig.client.json");
  const config = ts.getParsedCommandLineOfConfigFile(
    project,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  if (config === undefined) throw new Error("tsconfig.client.json can't be read");
  ts.createProgram(config.fileNames, { ...config.options, outDir }).emit();
}

afterAll(() => rm(program, { recursive: true, force: true }));

async function listProblems(source: string): Promise<string[]> {
  const file = path.join(program, "main.ts");
  await writeFile(file, source);
  const compiled = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [path.join(program, "node_modules", "@types")],
  });
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("@agent-ops/client", () => {
  it(
    "provides the types of every route to a strict program, without sources",
    { timeout: 60_000 },
    async () => {
      const problems = await listProblems(`
import { ApiError, type Client, DeniedError, createClient } from "@agent-ops/client";
const client: Client = createClient({ url: "http://127.0.0.1:4000", token: "agk_" });
const { agent_command } = await client.send("GET /agent_commands/{id}", { id: "1" });
const status: "queued" | "delivered" | string = agent_command.status;
for await (const frame of client.events()) console.log(status, frame);
const refund = client.gated("stripe.refund", async ({ amount }: { amount: number }, { key }) => key + amount);
const refunded: string = await refund({ amount: 900 }, { context: { task_id: "1" } });
const problem: unknown = refunded;
if (problem instanceof DeniedError) console.log(problem.check.reason);
if (problem instanceof ApiError) console.log(problem.status);
// What the service does not know:
createClient({ url: "http://127.0.0.1:4000", token: "agk_", nothing: true });
`);
      expect(problems).toEqual([expect.stringContaining("'nothing' does not exist")]);
    },
  );

  it("runs in such a program", async () => {
    const file = path.join(program, "run.js");
    const source = `import { ApiError, createClient } from "@agent-ops/client";
      console.log(Object.keys(createClient({ url: "http://127.0.0.1:4000", token: "agk_" })).join(" "), ApiError.name);`;
    await writeFile(file, source);
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout).toBe("send mint check gated workTasks handleCommands events close ApiError\n");
  });

  it("is packed without sources, tests or data", async () => {
    const names = await readdir(path.join(program, "node_modules", "@agent-ops", "client"));
    expect(names.toSorted()).toEqual(["README.md", "dist", "package.json"]);
  });
});

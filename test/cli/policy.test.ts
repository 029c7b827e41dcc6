import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runCli } from "./run-cli.ts";

const FILE = `version: 1
policies:
  - name: tools
    effect: allow
    subjects:
      - type: agent
        name: billing-*
        labels:
          team: finance
    actions:
      - tools/*
    when: has(args.amount)
`;

const NO_POLICIES = "version: 1\npolicies: []\n";

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { stdout } = await run(["workspace", "create", "--name", "Acme", "--json"]);
  workspace = JSON.parse(stdout)["workspace_id"];
  await runPolicy("apply", NO_POLICIES, "--prune");
});

afterAll(() => database.drop());

async function run(args: string[], input = "") {
  return runCli(args, { DATABASE_URL: database.url }, input);
}

async function runPolicy(command: string, input: string, ...more: string[]) {
  return run(["policy", command, "--workspace", workspace, "--file", "-", ...more], input);
}

it("policies are kept in a file", async () => {
  const summary = (counts: string) => expect.stringContaining(counts);
  expect(await runPolicy("diff", FILE)).toMatchObject({
    exitCode: 1,
    stdout: summary("+ tools\n1 added, 0 changed"),
  });
  expect(await runPolicy("apply", FILE)).toMatchObject({ exitCode: 0, stdout: summary("1 added") });
  expect(await runPolicy("diff", FILE)).toMatchObject({
    exitCode: 0,
    stdout: summary("0 added, 0 changed, 0 removed, 1 unchanged"),
  });
  const other = FILE.replace("allow", "deny");
  expect(await runPolicy("diff", other)).toMatchObject({ exitCode: 1, stdout: summary("~ tools: effect\n") });
  expect(await run(["policy", "export", "--workspace", workspace])).toMatchObject({
    exitCode: 0,
    stdout: FILE,
  });
  expect(await runPolicy("diff", NO_POLICIES)).toMatchObject({
    exitCode: 0,
    stdout: summary("1 not in the file"),
  });
  expect(await runPolicy("apply", NO_POLICIES, "--prune")).toMatchObject({
    exitCode: 0,
    stdout: summary("- tools\n"),
  });
  expect(await run(["policy", "export", "--workspace", workspace])).toMatchObject({ stdout: NO_POLICIES });
});

it("a file is not applied over changes since its diff", async () => {
  const { generation } = JSON.parse((await runPolicy("diff", FILE, "--json")).stdout);
  const late = await runPolicy("apply", FILE, "--expect", String(generation - 1));
  expect(late).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Compare the file again.") });
  expect(await runPolicy("apply", FILE, "--expect", "soon")).toMatchObject({ exitCode: 1 });
  expect(await runPolicy("apply", FILE, "--expect", String(generation))).toMatchObject({ exitCode: 0 });
  await runPolicy("apply", NO_POLICIES, "--prune");
});

it("what a file would have changed is counted first", async () => {
  const none = "of 0 decisions: 0 unchanged, 0 unknown\n";
  expect(await runPolicy("diff", FILE, "--simulate", "7d")).toMatchObject({
    ...{ exitCode: 1, stdout: expect.stringContaining(`${none}+ tools\n`) },
  });
  const applied = await runPolicy("apply", NO_POLICIES, "--simulate", "365d", "--json");
  expect(JSON.parse(applied.stdout)).toMatchObject({ simulation: { considered: 0 }, added: [] });
  expect(await runPolicy("diff", FILE, "--simulate", "366d")).toMatchObject({ exitCode: 1 });
});

it("an invalid file changes nothing, and is told with its places", async () => {
  const answer = await runPolicy("apply", FILE.replace("allow", "alow"));
  expect(answer).toMatchObject({
    exitCode: 2,
    stdout: expect.stringMatching(/^standard input:4:13: effect: must be one of/),
  });
  expect(await runPolicy("diff", "version: 3")).toMatchObject({ exitCode: 2 });
});

import { waitForUpdate } from "@pydantic/genai-prices";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runCli } from "./run-cli.ts";

const GENAI = [
  {
    id: "acme",
    models: [
      {
        id: "acme-1",
        match: { or: [{ starts_with: "ACME-1-" }, { regex: "^x" }] },
        prices: [
          { prices: { input_mtok: 2, output_mtok: { base: 4, tiers: [{ start: 1000, price: 5.5 }] } } },
          { constraint: { start_date: "2026-05-01" }, prices: { input_mtok: 1, output_mtok: 4 } },
        ],
      },
      { id: "pages", match: { equals: "pages" }, prices: { input_document_kpages: 1 } },
    ],
  },
  { id: "other", models: [{ id: "other-1", match: {}, prices: { input_mtok: 1, output_mtok: 1 } }] },
];

const LITELLM = {
  sample_spec: { litellm_provider: "one of", input_cost_per_token: 0 },
  "bedrock/eu.acme-9": {
    litellm_provider: "bedrock_converse",
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1.5e-5,
    cache_read_input_token_cost: 3e-7,
    input_cost_per_token_above_200k_tokens: 6e-6,
  },
  "acme-images": { litellm_provider: "acme", output_cost_per_image: 1 },
  "acme-dear": { litellm_provider: "acme", input_cost_per_token: 1, output_cost_per_token: 1 },
};

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { stdout } = await run(["workspace", "create", "--name", "Acme", "--json"]);
  workspace = JSON.parse(stdout)["workspace_id"];
});

afterAll(() => database.drop());

async function run(args: string[], input = "") {
  return runCli(args, { DATABASE_URL: database.url }, input);
}

async function importPrices(file: unknown, ...more: string[]) {
  const input = typeof file === "string" ? file : JSON.stringify(file);
  return run(["prices", "import", "--workspace", workspace, "--file", "-", ...more], input);
}

it("prices of genai-prices are set, and what changes is printed", async () => {
  const added = [
    "+ acme acme-1 since 2026-05-01: input 1 output 4 cacheRead 1 cacheWrite 1 cacheWrite1h 1",
    "+ acme acme-1: input 2 output 4 cacheRead 2 cacheWrite 2 cacheWrite1h 2, above 1000: input 2 output 5.5 cacheRead 2 cacheWrite 2 cacheWrite1h 2",
    "+ acme acme-1-* since 2026-05-01: input 1 output 4 cacheRead 1 cacheWrite 1 cacheWrite1h 1",
    "+ acme acme-1-*: input 2 output 4 cacheRead 2 cacheWrite 2 cacheWrite1h 2, above 1000: input 2 output 5.5 cacheRead 2 cacheWrite 2 cacheWrite1h 2",
  ];
  const skipped = ["skipped acme acme-1: has more names", "skipped acme pages: has no price for tokens"];
  const lines = [...added, ...skipped, "4 added, 0 changed, 0 unchanged, 2 skipped", ""].join("\n");
  expect(await importPrices(GENAI, "--provider", "acme", "--dry-run")).toMatchObject({
    exitCode: 0,
    stdout: lines,
  });
  expect(await importPrices(GENAI, "--provider", "acme")).toMatchObject({ exitCode: 0, stdout: lines });
  const dearer = JSON.stringify(GENAI).replace('"input_mtok":2', '"input_mtok":2.5');
  const changed = await importPrices(dearer, "--json");
  expect(JSON.parse(changed.stdout)).toMatchObject({
    added: [{ provider: "other", model: "other-1", valid_from: null, prices: { input: "1" }, tiers: [] }],
    changed: [
      { before: { model: "acme-1", prices: { input: "2" } }, after: { prices: { input: "2.5" } } },
      { before: { model: "acme-1-*" }, after: { model: "acme-1-*" } },
    ],
    unchanged: 2,
  });
  const audit = await database.query<{ action: string; changes: unknown }>(
    "SELECT action, changes FROM audit_event WHERE action LIKE '%prices%' ORDER BY seq",
  );
  expect(audit).toEqual([
    { action: "workspace.model_prices_imported", changes: { added: 4, changed: 0 } },
    { action: "workspace.model_prices_imported", changes: { added: 1, changed: 2 } },
  ]);
  const totals = await database.query<{ total: number }>(
    "SELECT total FROM collection_total WHERE collection = 'model_prices' AND facet = 'all'",
  );
  expect(totals).toEqual([{ total: 5 }]);
});

it("prices of LiteLLM are set", async () => {
  const { stdout } = await importPrices(LITELLM);
  expect(stdout.split("\n")).toEqual([
    "+ bedrock_converse eu.acme-9: input 3 output 15 cacheRead 0.3 cacheWrite 3 cacheWrite1h 3, above 200000: input 6 output 15 cacheRead 0.3 cacheWrite 6 cacheWrite1h 6",
    "skipped acme acme-images: has no price for tokens",
    expect.stringContaining("skipped acme acme-dear: prices.input must be dollars from 0 to 100000"),
    "1 added, 0 changed, 0 unchanged, 2 skipped",
    "",
  ]);
});

it("all that come with the program can be set", async () => {
  const { stdout } = await importPrices(await waitForUpdate(), "--dry-run", "--json");
  const { added, skipped } = JSON.parse(stdout);
  expect(added.length).toBeGreaterThan(1500);
  expect(new Set(skipped.map(({ reason }: { reason: string }) => reason))).toEqual(
    new Set([
      ...["has no price for tokens", "has a price for one kind of tokens only", "has more names"],
      ...["depends on the time of day", "is also for each call"],
    ]),
  );
});

it.each([
  ["", "file must be JSON"],
  ["[1]", "file must be the JSON of genai-prices or of LiteLLM"],
  ['[{"id":"a","models":[{"id":"b","prices":{"input_mtok":-1}}]}]', "file must be the JSON of"],
  [`"${"x".repeat(16_777_216)}"`, "file must have at most 16777216 bytes"],
])("an invalid file changes nothing", async (file, problem) => {
  expect(await importPrices(file)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(problem) });
});

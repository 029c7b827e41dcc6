import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { REFUND, startMcpUpstream } from "../support/mcp-upstream.ts";
import { runCli } from "./run-cli.ts";

const [OLD = "", NEW = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const made = await run(["workspace", "create", "--name", "Acme"]);
  workspace = JSON.parse(made.stdout).workspace_id;
});

afterAll(() => database.drop());

async function run(args: string[], SECRETS_KEY = OLD) {
  return runCli(["--json", ...args], {
    DATABASE_URL: database.url,
    OUTBOUND_ALLOW: "127.0.0.0/8",
    SECRETS_KEY,
  });
}

describe("agent-ops mcp", () => {
  it("adds a server, shows its tools in visible characters and approves them by their hashes", async () => {
    const upstream = await startMcpUpstream({ tools: [{ ...REFUND, description: "Pays\u200b." }] });
    const of = ["--workspace", workspace];
    const added = await run([
      "mcp",
      "add",
      ...of,
      "--slug",
      "shop",
      "--url",
      upstream.url,
      "--secret",
      "hunter2",
    ]);
    expect(JSON.parse(added.stdout)).toMatchObject({
      health: "ok",
      tools: [{ name: "refund", status: "pending" }],
    });
    expect(upstream.requests[0]?.headers.authorization).toBe("Bearer hunter2");
    const [{ hash }] = JSON.parse(added.stdout).tools;
    const shown = await runCli(["mcp", "review", ...of, "--server", "shop"], {
      ...{ DATABASE_URL: database.url, OUTBOUND_ALLOW: "127.0.0.0/8", SECRETS_KEY: OLD },
    });
    expect(shown.stdout).toContain(`pending ${hash}`);
    expect(shown.stdout).toContain("Pays\\u200b.");
    const approved = await run(["mcp", "review", ...of, "--server", "shop", "--approve", hash]);
    expect(JSON.parse(approved.stdout).tools).toMatchObject([{ status: "approved" }]);
    upstream.tools = [REFUND];
    const late = await run(["mcp", "review", ...of, "--server", "shop", "--approve", hash]);
    expect(late.exitCode).toBe(1);
    const listed = await run(["mcp", "list", ...of]);
    expect(JSON.parse(listed.stdout).servers).toMatchObject([
      { slug: "shop", tools: [{ status: "changed" }] },
    ]);
  });

  it("rotates the key of secrets: afterwards the new one alone opens them", async () => {
    const upstream = await startMcpUpstream();
    const of = ["--workspace", workspace];
    await run(["mcp", "add", ...of, "--slug", "rotated", "--url", upstream.url, "--secret", "hunter2"]);
    const unreadable = await run(["secrets", "rotate"], NEW);
    expect([unreadable.exitCode, JSON.parse(unreadable.stdout)]).toEqual([1, { sealed: 0, unreadable: 2 }]);
    const rotated = await run(["secrets", "rotate"], `${NEW},${OLD}`);
    expect([rotated.exitCode, JSON.parse(rotated.stdout)]).toEqual([0, { sealed: 2, unreadable: 0 }]);
    const read = await run(["mcp", "review", ...of, "--server", "rotated"], NEW);
    expect(JSON.parse(read.stdout)).toMatchObject({ health: "ok" });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer hunter2");
  });
});

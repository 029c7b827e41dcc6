import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { refreshMcpTools } from "../../src/auth/upstream/refresh-mcp-tools.ts";
import { createMcpServer } from "../../src/domain/mcp/create-mcp-server.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { LACKS_BROWSER } from "../support/browser.ts";
import { startMcpUpstream } from "../support/mcp-upstream.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";
import { approve } from "./support/mcp-scene.ts";
import { postTask } from "./support/work.ts";

const WORKER = ["tasks:read", "tasks:work", "messages:read", "messages:write", "gateway:check", "mcp:use"];

describe.skipIf(LACKS_BROWSER)("an agent with an MCP client of others", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld({
      ...{ SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"), OUTBOUND_ALLOW: "127.0.0.0/8" },
    });
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Connects the official client, as its users configure it. */
  async function connect(path: string, token: string): Promise<Client> {
    const client = new Client({ name: "a test", version: "1" });
    const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    await client.connect(new StreamableHTTPClientTransport(new URL(path, world.server.url), options));
    onTestFinished(() => client.close());
    return client;
  }

  async function registerCrm(): Promise<void> {
    const upstream = await startMcpUpstream({ era: "legacy" });
    const { id } = await createMcpServer(world.ctx, { slug: "crm", name: "CRM", url: upstream.url });
    await refreshMcpTools(world.ctx, { id });
    await approve(world.ctx, id, "refund");
  }

  it("claims a task, asks a person, and calls a tool that another approves, all in one time line", async () => {
    await registerCrm();
    await createPolicy(world.ctx, {
      ...{ name: "refunds", effect: "ask", actions: ["tools/call"] },
      resources: [{ type: "tool", name: "crm.*" }],
    });
    const minted = await world.agent.post("/api/v1/agent_tokens", {
      ...{ agent: { handle: "refunder" }, scopes: WORKER },
    });
    const [ops, crm] = [
      await connect("/mcp", minted.body.token),
      await connect("/mcp/proxy/crm", minted.body.token),
    ];
    const id = await postTask(world.agent, { title: "Refund order 7", queue: "refunds" });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks/${id}`);
    const line = page.getByRole("region", { name: "Timeline" });
    const items = line.getByRole("listitem");

    const claimed = await ops.callTool({ name: "task_claim", arguments: { queues: ["refunds"] } });
    expect(claimed.structuredContent).toMatchObject({ task: { id } });
    const { lease } = claimed.structuredContent as { lease: { token: string } };

    const asking = ops.callTool({
      name: "ask_human",
      arguments: { question: "Which card?", task_id: id, lease_token: lease.token },
    });
    await page.getByLabel("Your answer").fill("The blue one");
    await page.getByRole("button", { name: "Send answer" }).click();
    expect((await asking).structuredContent).toMatchObject({ status: "answered", answer: "The blue one" });

    const calling = crm.callTool({ name: "refund", arguments: { amount: 900 } });
    await items.filter({ hasText: /Approval .* crm\.refund waiting/ }).waitFor();
    await items
      .filter({ hasText: /Approval .* crm\.refund/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Approve" }).click();
    expect((await calling).content).toEqual([{ type: "text", text: 'did {"amount":900}' }]);
    await ops.callTool({
      name: "task_complete",
      arguments: { task_id: id, lease_token: lease.token, output: { refunded: 900 } },
    });

    await page.goto(`${world.network.url}/tasks/${id}`);
    const expected = [
      ...["Task Now working · refunder", "Question refunder asks answered"],
      ...[
        "Approval May it? tools/call crm.refund approved",
        "Span execute_tool crm.refund",
        "Task Completed",
      ],
    ];
    for (const text of expected) await items.filter({ hasText: text }).first().waitFor();
    const texts = (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    const places = expected.map((text) => texts.findIndex((one) => one.includes(text)));
    expect(places, texts.join("\n")).toEqual(places.toSorted((one, other) => one - other));
    expect(texts.some((text) => text.includes("Decision tools/call crm.refund asked"))).toBe(true);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createClient } from "../../src/client/client.ts";
import { runCli, spawnCli } from "../cli/run-cli.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestIssuer, startIssuer } from "../support/test-issuer.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { trust } from "../support/workload-scene.ts";

let world: TestWorld;
let issuer: TestIssuer;
let folder: string;
let tokenFile: string;
let trustId: string;

beforeAll(async () => {
  world = await createWorld({ OUTBOUND_ALLOW: "127.0.0.0/8" });
  issuer = await startIssuer();
  folder = await mkdtemp(path.join(tmpdir(), "workload-"));
  tokenFile = path.join(folder, "token");
  trustId = (await trust(world.ctx, { issuer: issuer.url })).id;
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await issuer.close();
  await world.server.close();
});

describe("a client with a workload's token file", () => {
  it("exchanges its content, and reads it again after a 401", async () => {
    await writeFile(tokenFile, `${await issuer.sign()}\n`);
    const client = createClient({ url: world.server.url, workload: { tokenFile, trustId }, log: () => {} });
    await client.send("POST /tasks", { body: { title: "One" } });
    await writeFile(tokenFile, await issuer.sign());
    const { id: tokenId } = await world.ctx.db.agentToken.findFirstOrThrow({ where: { trustId } });
    await revokeAgentToken(world.ctx, tokenId);
    const { task } = await client.send("POST /tasks", { body: { title: "Two" } });
    expect(task.title).toBe("Two");
    await client.close();
    const left = await world.ctx.db.agentToken.count({ where: { trustId, revokedAt: null } });
    expect(left).toBe(0);
  });

  it("says why the server refuses it", async () => {
    await writeFile(tokenFile, await issuer.sign({ aud: "x" }));
    const client = createClient({ url: world.server.url, workload: { tokenFile, trustId }, log: () => {} });
    await expect(client.send("POST /tasks", { body: { title: "x" } })).rejects.toMatchObject({
      status: 400,
      code: "invalid_grant",
    });
  });
});

describe("agent-ops token exchange", () => {
  it("prints an access token alone", async () => {
    await writeFile(tokenFile, await issuer.sign());
    const environment = { PATH: path.dirname(process.execPath), AGENT_OPS_URL: world.server.url };
    const run = await spawnCli(
      ["token", "exchange", "--token-file", tokenFile, "--trust", trustId, "--scopes", "tasks:read"],
      environment,
    );
    expect(run.stderr).toBe("");
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^agt_\w+\n$/) });
    const me = await createTestClient(world.server.url, run.stdout.trim()).get("/api/v1/whoami");
    expect(me.body.scopes ?? me.body.credential.scopes).toEqual(["tasks:read"]);
  });

  it("takes the file and the trust from the environment, and explains refusals", async () => {
    await writeFile(tokenFile, await issuer.sign());
    const environment = {
      ...{ AGENT_OPS_URL: world.server.url, AGENT_OPS_TOKEN_FILE: tokenFile, AGENT_OPS_TRUST_ID: trustId },
    };
    const first = await runCli(["token", "exchange", "--json"], environment);
    expect(JSON.parse(first.stdout)).toMatchObject({
      expires_in: 900,
      scopes: ["tasks:read", "tasks:write"],
    });
    const again = await runCli(["token", "exchange"], environment);
    expect(again).toMatchObject({ exitCode: 2, stdout: "" });
    expect(again.stderr).toContain("exchanged before");
    const nothing = await runCli(["token", "exchange"], {});
    expect(nothing.exitCode).toBe(2);
    for (const name of ["AGENT_OPS_URL", "AGENT_OPS_TOKEN_FILE", "AGENT_OPS_TRUST_ID"])
      expect(nothing.stderr).toContain(name);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BUILT_IN_COMMANDS, isDeEscalating } from "../../../src/domain/agent-commands/command-types.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { NOW } from "../../support/command-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let operator: Ctx;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const { ctx, workspaceId } = await world.another();
  operator = openCtx(world.server.services, userCtx(world.server, workspaceId, "operator"), NOW);
  agentId = await insertTestAgent(ctx);
});

describe("a command's params", () => {
  const schema = {
    type: "object",
    properties: { station: { type: "string" }, speed: { type: "number", maximum: 2 } },
    required: ["station"],
    additionalProperties: false,
  };

  async function declare(type: string, paramsSchema: unknown): Promise<void> {
    const capabilities = [{ type: "custom.other" }, { type, params_schema: paramsSchema as object }];
    await operator.db.agent.updateMany({ where: { id: agentId }, data: { capabilities } });
  }

  it("are validated against the agent's schema before anything is queued", async () => {
    await declare("robot.dock", schema);
    const issue = (params: Record<string, unknown>) =>
      issueAgentCommands(operator, { agentId, type: "robot.dock", params });
    expect((await issue({ station: "A1", speed: 1 })).commands).toHaveLength(1);
    expect(await getErrorDetails(issue({ station: "A1", speed: 3 }))).toMatchObject({
      field: "params.speed",
    });
    expect(await getErrorDetails(issue({ station: "A1", sped: 1 }))).toMatchObject({
      errors: [
        {
          field: "params.sped",
          detail: expect.stringMatching(/^is not declared \(as \S+ declares robot.dock\)$/),
        },
      ],
    });
    expect(await getErrorDetails(issue({}))).toMatchObject({
      errors: [{ field: "params.station", detail: expect.stringMatching(/^is required \(as /) }],
    });
    expect(await operator.db.agentCommand.count({ where: {} })).toBe(1);
  });

  it("are not validated if the agent declares no schema for the type", async () => {
    await declare("robot.dock", schema);
    for (const type of ["robot.localize", "custom.other", "custom.new"]) {
      expect((await issueAgentCommands(operator, { agentId, type, params: { x: 1 } })).commands).toHaveLength(
        1,
      );
    }
  });

  it("of commands that only stop an agent are never rejected", async () => {
    for (const type of BUILT_IN_COMMANDS) {
      await declare(type, false);
      const code = await getErrorCode(issueAgentCommands(operator, { agentId, type, params: { any: 1 } }));
      expect([type, code]).toEqual([type, isDeEscalating(type) ? "" : "validation_failed"]);
    }
    expect(BUILT_IN_COMMANDS.filter(isDeEscalating)).toEqual([
      ...["agent.pause", "agent.stop", "task.cancel", "mission.pause", "mission.cancel", "robot.stop"],
    ]);
  });

  it("support the drafts 2020-12 and 07", async () => {
    const tuple = { properties: { at: { type: "array", prefixItems: [{ type: "number" }], items: false } } };
    await declare("custom.go", { $schema: "https://json-schema.org/draft/2020-12/schema", ...tuple });
    const issue = (params: Record<string, unknown>) =>
      issueAgentCommands(operator, { agentId, type: "custom.go", params });
    expect(await getErrorCode(issue({ at: [1] }))).toBe("");
    expect(await getErrorCode(issue({ at: [1, 2] }))).toBe("validation_failed");
    const older = {
      properties: { at: { type: "array", items: [{ type: "number" }], additionalItems: false } },
    };
    await declare("custom.go", { $schema: "http://json-schema.org/draft-07/schema#", ...older });
    expect(await getErrorCode(issue({ at: [1] }))).toBe("");
    expect(await getErrorCode(issue({ at: [1, 2] }))).toBe("validation_failed");
  });

  it("are validated against every schema of a fleet, and errors name an agent", async () => {
    const type = "custom.go";
    const other = await insertTestAgent(operator);
    const declared = (maximum: number) => [{ type, params_schema: { properties: { at: { maximum } } } }];
    await operator.db.agent.updateMany({ where: { id: agentId }, data: { capabilities: declared(9) } });
    await operator.db.agent.updateMany({ where: { id: other }, data: { capabilities: declared(5) } });
    const issue = (at: number) =>
      issueAgentCommands(operator, { selector: { kind: "software" }, type, params: { at } });
    expect((await issue(5)).commands.length).toBeGreaterThanOrEqual(2);
    const { handle } = await operator.db.agent.findFirstOrThrow({ where: { id: other } });
    expect(await getErrorDetails(issue(7))).toMatchObject({
      errors: [{ field: "params.at", detail: `must be at most 5 (as ${handle} declares ${type})` }],
    });
  });

  it("are validated against at most 32 different schemas", async () => {
    const type = "custom.go";
    for (let maximum = 0; maximum <= 32; maximum++) {
      const id = await insertTestAgent(operator, "robot");
      const capabilities = [{ type, params_schema: { maximum } }];
      await operator.db.agent.updateMany({ where: { id }, data: { capabilities } });
    }
    const order = { selector: { kind: "robot" as const }, type };
    expect(await getErrorDetails(issueAgentCommands(operator, order))).toMatchObject({ field: "selector" });
  });

  it("are not validated again for a repeated Idempotency-Key", async () => {
    const requestHash = new Uint8Array(32).fill(1);
    const keyed = Object.assign(openCtx(world.server.services, operator), {
      idempotency: { key: "declared", requestHash },
    });
    await declare("custom.go", schema);
    const issue = () => issueAgentCommands(keyed, { agentId, type: "custom.go", params: { station: "A1" } });
    const first = await issue();
    await declare("custom.go", false);
    expect(await issue()).toEqual(first);
  });

  it.each([
    ["an unknown type", { type: "strange" }],
    ["an external reference", { $ref: "https://example.com/elsewhere.json" }],
    ["an asynchronous schema", { $async: true, type: "object" }],
    ["a pattern that isn't linear", { properties: { a: { pattern: "^(?=(a+)+$)" } } }],
  ])("can't be validated against a stored schema with %s", async (_what, broken) => {
    await declare("custom.go", broken);
    const issued = issueAgentCommands(operator, { agentId, type: "custom.go", params: { a: "a" } });
    expect(await getErrorDetails(issued)).toMatchObject({
      field: "params",
      errors: [{ detail: expect.stringContaining("can't be checked against the schema") }],
    });
  });

  it("are matched with a pattern in linear time", async () => {
    await declare("custom.go", { properties: { a: { pattern: "^(a+)+x$" } } });
    const issue = (a: string) => issueAgentCommands(operator, { agentId, type: "custom.go", params: { a } });
    expect(await getErrorDetails(issue("a".repeat(60_000)))).toMatchObject({
      errors: [{ field: "params.a", detail: expect.stringContaining("must match ^(a+)+x$") }],
    });
    expect(await getErrorCode(issue(`${"a".repeat(60_000)}x`))).toBe("");
  });

  it("that take too long to validate are rejected", async () => {
    const levels = Array.from({ length: 40 }, (_each, index) => {
      const below = { $ref: `#/$defs/l${index}` };
      return [`l${index + 1}`, { allOf: [below, below] }] as const;
    });
    await declare("custom.go", { $defs: { l0: {}, ...Object.fromEntries(levels) }, $ref: "#/$defs/l40" });
    expect(await getErrorDetails(issueAgentCommands(operator, { agentId, type: "custom.go" }))).toMatchObject(
      {
        field: "params",
        errors: [{ detail: expect.stringContaining("takes too long to check") }],
      },
    );
    await declare("custom.go", schema);
    const params = { station: "A1" };
    expect(await getErrorCode(issueAgentCommands(operator, { agentId, type: "custom.go", params }))).toBe("");
  });
});

import { listDecisions } from "../../src/domain/decisions/list-decisions.ts";
import type {
  AgentCommand,
  Approval,
  Decision,
  Mission,
  MissionStep,
} from "../../src/db/generated/client.ts";
import { issueAgentCommands } from "../../src/domain/agent-commands/issue-agent-commands.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import { createMission } from "../../src/domain/missions/create-mission.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { agentCtx } from "./agent-ctx.ts";
import { insertTestAgent } from "./factories.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { createPerson, beginTestSession } from "./people.ts";
import type { TestWorld } from "./test-world.ts";

type MissionInput = Partial<Parameters<typeof createMission>[1]>;
type Input = Omit<Parameters<typeof issueAgentCommands>[1], "type"> & { type?: string };

/** A robot, an agent that gives it orders, and people. */
export type OrderScene = {
  /** The system's. */
  ctx: Ctx;
  robotId: string;
  robot: Ctx;
  /** Another agent. */
  agent: Ctx;
  agentId: string;
  /** The context of a new person who is logged in. Default: an operator. */
  person: (role?: Role) => Promise<Ctx>;
  /** Creates a policy for all commands and missions, unless said otherwise. */
  rule: (effect: PolicyRuleInput["effect"], fields?: Partial<PolicyRuleInput>) => Promise<{ id: string }>;
  /** Issues `custom.open` to the robot, unless said otherwise. */
  issue: (by: Ctx, input?: Input) => Promise<AgentCommand>;
  readCommand: (id: string) => Promise<AgentCommand>;
  /** Creates a mission of one step for the robot, or for those of a selector. */
  create: (by: Ctx, input?: MissionInput) => Promise<Mission>;
  readMission: (id: string) => Promise<Mission & { steps: MissionStep[] }>;
  readApproval: (id: string | null) => Promise<Approval>;
  listDecisions: () => Promise<Pick<Decision, "id" | "agentId" | "outcome" | "reason" | "approvalId">[]>;
};

export async function createOrderScene(world: TestWorld): Promise<OrderScene> {
  const { server } = world;
  const { ctx, workspaceId } = await world.another();
  const robotId = await insertTestAgent(ctx, "robot");
  const agentId = await insertTestAgent(ctx);
  return {
    ...{ ctx, robotId, agentId },
    robot: agentCtx(server, { id: robotId, workspaceId }),
    agent: agentCtx(server, { id: agentId, workspaceId }),
    person: async (role = "operator") => {
      const person = await createPerson(server, workspaceId, { role });
      return openSessionCtx(server, await beginTestSession(server, person));
    },
    rule: (effect, fields = {}) =>
      createPolicy(ctx, {
        name: `${effect} ${crypto.randomUUID()}`,
        effect,
        actions: ["commands"],
        ...fields,
      }),
    issue: async (by, { type = "custom.open", ...input } = {}) => {
      const { commands } = await issueAgentCommands(by, {
        ...(input.selector === undefined && { agentId: robotId }),
        ...{ type, ...input },
      });
      const [command] = commands;
      if (command === undefined) throw new Error("no command was issued");
      return command;
    },
    readCommand: (id) =>
      ctx.db.agentCommand.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId, id } },
      }),
    create: (by, input = {}) =>
      createMission(by, {
        ...(input.selector === undefined && { robotId }),
        ...{ title: "Bring it", kind: "transport", steps: [{ key: "drive", type: "move" }] },
        ...input,
      }),
    readMission: (id) =>
      ctx.db.mission.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId, id } },
        include: { steps: { orderBy: { seq: "asc" } } },
      }),
    readApproval: (id) =>
      ctx.db.approval.findUniqueOrThrow({
        where: { workspaceId_id: { workspaceId, id: id ?? "" } },
      }),
    listDecisions: async () => (await listDecisions(ctx, { first: 100 })).nodes,
  };
}

import type { ResultOf } from "gql.tada";
import { toGlobalId } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import type { PaletteEntry } from "./entries.ts";

/** Finds anything that has this id. */
export const PaletteId = graphql(`
  query PaletteId(
    $agent: ID!
    $robot: ID!
    $task: ID!
    $command: ID!
    $mission: ID!
    $run: ID!
    $decision: ID!
    $approval: ID!
    $policy: ID!
    $budget: ID!
    $execution: ID!
    $trace: ID!
    $alert: ID!
    $server: ID!
  ) {
    agent: node(id: $agent) {
      ... on Agent {
        uuid
        name
      }
    }
    robot: node(id: $robot) {
      ... on Robot {
        uuid
        agent {
          id
          name
        }
      }
    }
    task: node(id: $task) {
      ... on Task {
        uuid
        title
      }
    }
    command: node(id: $command) {
      ... on AgentCommand {
        uuid
        type
      }
    }
    mission: node(id: $mission) {
      ... on Mission {
        uuid
        title
      }
    }
    run: node(id: $run) {
      ... on EvalRun {
        uuid
        name
      }
    }
    decision: node(id: $decision) {
      ... on Decision {
        uuid
        action
        resourceId
      }
    }
    approval: node(id: $approval) {
      ... on Approval {
        uuid
        action
        resourceId
      }
    }
    policy: node(id: $policy) {
      ... on Policy {
        uuid
        name
      }
    }
    execution: node(id: $execution) {
      ... on Execution {
        uuid
        action
        resourceId
      }
    }
    budget: node(id: $budget) {
      ... on Budget {
        uuid
        name
      }
    }
    server: node(id: $server) {
      ... on McpServer {
        uuid
        name
      }
    }
    alert: node(id: $alert) {
      ... on AlertRule {
        uuid
        name
      }
    }
    trace: node(id: $trace) {
      ... on Trace {
        uuid: traceId
        name: rootName
      }
    }
  }
`);

/** The global ids that a UUID could belong to. */
export function toGlobalIds(uuid: string) {
  return {
    agent: toGlobalId("Agent", uuid),
    robot: toGlobalId("Robot", uuid),
    task: toGlobalId("Task", uuid),
    command: toGlobalId("AgentCommand", uuid),
    mission: toGlobalId("Mission", uuid),
    run: toGlobalId("EvalRun", uuid),
    decision: toGlobalId("Decision", uuid),
    approval: toGlobalId("Approval", uuid),
    policy: toGlobalId("Policy", uuid),
    budget: toGlobalId("Budget", uuid),
    execution: toGlobalId("Execution", uuid),
    alert: toGlobalId("AlertRule", uuid),
    server: toGlobalId("McpServer", uuid),
    trace: toGlobalId("Trace", uuid),
  };
}

const KINDS = [
  ["agent", "Agent", "/agents/"],
  ["robot", "Robot", "/robots/"],
  ["task", "Task", "/tasks/"],
  ["command", "Command", "/commands/"],
  ["mission", "Mission", "/missions/"],
  ["run", "Evaluation", "/evaluations/"],
  ["decision", "Decision", "/decisions/"],
  ["approval", "Approval", "/approvals/"],
  ["policy", "Policy", "/policies/"],
  ["budget", "Budget", "/budgets/"],
  ["execution", "Execution", "/executions/"],
  ["alert", "Alert rule", "/alerts/"],
  ["server", "MCP server", "/mcp-servers/"],
  ["trace", "Trace", "/traces/"],
] as const;

export function toIdEntries(found: ResultOf<typeof PaletteId>): PaletteEntry[] {
  return KINDS.flatMap(([name, kind, place]) => {
    const node = found[name];
    if (node === null || !("uuid" in node)) return [];
    return [{ key: node.uuid, kind, label: getLabel(node), to: place + node.uuid }];
  });
}

type Found = Extract<
  NonNullable<ResultOf<typeof PaletteId>[keyof ResultOf<typeof PaletteId>]>,
  { uuid: string }
>;

function getLabel(node: Found): string {
  if ("title" in node) return node.title;
  if ("name" in node) return node.name ?? "Unnamed trace";
  if ("resourceId" in node) return `${node.action} ${node.resourceId}`;
  return "type" in node ? node.type : (node.agent?.name ?? "Unnamed robot");
}

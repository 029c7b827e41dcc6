import type { ResultOf } from "gql.tada";
import { globalId } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import type { Entry } from "./entries.ts";

/** What has an id. */
export const PaletteId = graphql(`
  query PaletteId($agent: ID!, $robot: ID!, $task: ID!, $command: ID!, $mission: ID!, $run: ID!) {
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
  }
`);

/** The ids that a uuid may stand for. */
export function idsOf(uuid: string) {
  return {
    agent: globalId("Agent", uuid),
    robot: globalId("Robot", uuid),
    task: globalId("Task", uuid),
    command: globalId("AgentCommand", uuid),
    mission: globalId("Mission", uuid),
    run: globalId("EvalRun", uuid),
  };
}

const KINDS = [
  ["agent", "Agent", "/agents/"],
  ["robot", "Robot", "/robots/"],
  ["task", "Task", "/tasks/"],
  ["command", "Command", "/commands/"],
  ["mission", "Mission", "/missions/"],
  ["run", "Evaluation", "/evaluations/"],
] as const;

/** Makes entries of what was found. */
export function entriesOfId(found: ResultOf<typeof PaletteId>): Entry[] {
  return KINDS.flatMap(([name, kind, place]) => {
    const node = found[name];
    if (node === null || !("uuid" in node)) return [];
    return [{ key: node.uuid, kind, label: labelOf(node), to: place + node.uuid }];
  });
}

type Found = Extract<
  NonNullable<ResultOf<typeof PaletteId>[keyof ResultOf<typeof PaletteId>]>,
  { uuid: string }
>;

function labelOf(node: Found): string {
  if ("title" in node) return node.title;
  if ("name" in node) return node.name;
  return "type" in node ? node.type : (node.agent?.name ?? "A robot");
}

import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import type { PaletteEntry } from "./entries.ts";

/** Searches by name. */
export const PaletteSearch = graphql(`
  query PaletteSearch($search: String!) {
    agents(first: 6, filter: { archived: false, search: $search }) {
      nodes {
        uuid
        name
        handle
      }
    }
    robots(first: 4, filter: { search: $search }) {
      nodes {
        uuid
        agent {
          id
          name
        }
      }
    }
    tasks(first: 8, filter: { search: $search }) {
      nodes {
        uuid
        title
      }
    }
  }
`);

export function toSearchEntries({ agents, robots, tasks }: ResultOf<typeof PaletteSearch>): PaletteEntry[] {
  return [
    ...agents.nodes.map(({ uuid, name, handle }) => ({
      key: uuid,
      kind: "Agent",
      to: `/agents/${uuid}`,
      label: name === handle ? name : `${name} (${handle})`,
    })),
    ...robots.nodes.map(({ uuid, agent }) => ({
      key: uuid,
      kind: "Robot",
      to: `/robots/${uuid}`,
      label: agent?.name ?? "Unnamed robot",
    })),
    ...tasks.nodes.map(({ uuid, title }) => ({
      key: uuid,
      kind: "Task",
      to: `/tasks/${uuid}`,
      label: title,
    })),
  ];
}

import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";

const MissionTemplates = graphql(`
  query MissionTemplates {
    missionTemplates {
      uuid
      name
      title
      kind
      minBatteryPercent
      priority
      selector
      steps {
        key
        type
        params
      }
    }
  }
`);

/** A mission that people create again and again. */
export type Template = ResultOf<typeof MissionTemplates>["missionTemplates"][number];

/** All templates by name, and how to read them again. None until they are loaded. */
export function useTemplates(): { templates: readonly Template[]; refresh: () => void } {
  const { data, refresh } = useLiveQuery(MissionTemplates, {}, { types: ["mission_template.*"] });
  return { templates: data?.missionTemplates ?? [], refresh };
}

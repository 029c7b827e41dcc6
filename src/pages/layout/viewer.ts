import type { ResultOf } from "gql.tada";
import { graphql } from "../../schema/graphql.ts";
import { type Html, attributes } from "../html.ts";

/** What the dashboard's scripts ask first, in their `ViewerQuery`, and where the workspace's events stand. */
export const ViewerFields = graphql(`
  fragment ViewerFields on Query {
    viewer {
      actor {
        name
        uuid
      }
      role
    }
    workspace {
      name
      emergencyStop {
        uuid
        stages {
          uuid
        }
      }
    }
    stops {
      uuid
    }
    eventsPage {
      cursor
    }
  }
`);

/**
 * The attributes in which a page tells its scripts who its viewer is, so that the frame, with the emergency stop, waits
 * for no request, and from which cursor on to follow the events.
 *
 * @param fields of a query that may have asked for more: only these are told.
 */
export function tellViewer({ viewer, workspace, stops, eventsPage }: ResultOf<typeof ViewerFields>): Html {
  const { actor, role } = viewer;
  const { name, emergencyStop } = workspace;
  const told = {
    viewer: { actor: { name: actor.name, uuid: actor.uuid }, role },
    workspace: {
      name,
      emergencyStop: emergencyStop && { uuid: emergencyStop.uuid, stages: listUuids(emergencyStop.stages) },
    },
    stops: listUuids(stops),
  };
  return attributes({ "data-viewer": JSON.stringify(told), "data-cursor": eventsPage.cursor });
}

function listUuids(rows: readonly { uuid: string }[]): { uuid: string }[] {
  return rows.map(({ uuid }) => ({ uuid }));
}

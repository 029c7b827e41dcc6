import type { ResultOf } from "gql.tada";
import { type ReactNode, createContext, use } from "react";
import { graphql } from "./graphql.ts";
import { readPageData } from "./page-data.ts";
import { type LiveQuery, useLiveQuery } from "./use-live-query.ts";

/** The server puts its result into the page: src/pages/layout/viewer.ts. */
const ViewerQuery = graphql(`
  query Viewer {
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
  }
`);

/** The user's role. */
export type ViewerRole = "OWNER" | "ADMIN" | "OPERATOR" | "VIEWER";

/** The logged-in user and their workspace. */
export type Viewer = {
  name: string;
  uuid: string | null;
  role: ViewerRole;
  workspaceName: string;
  /** Whether all agents are stopped, and none was resumed. */
  isAllStopped: boolean;
  /** Whether agents are stopped by an emergency stop. */
  hasStops: boolean;
};

/** Sessions are reissued only in HTTP responses, so the page makes a request every hour. */
const HOUR_MS = 3_600_000;
const RANKS: readonly ViewerRole[] = ["VIEWER", "OPERATOR", "ADMIN", "OWNER"];
const Context = createContext<Viewer | null>(null);

/** The page's viewer. */
const LOADED = readLoaded();

function readLoaded(): ResultOf<typeof ViewerQuery> | null {
  const json = readPageData("viewer");
  return json === null ? null : (JSON.parse(json) as ResultOf<typeof ViewerQuery>);
}

/** Keeps the viewer up to date, whom the page tells. */
export function useViewerQuery(): LiveQuery<Viewer> {
  const query = useLiveQuery(
    ViewerQuery,
    {},
    { types: ["workspace.*", "stop.*", "user.updated"], everyMs: HOUR_MS },
  );
  const data = query.data ?? LOADED;
  if (data === null) return { ...query, data: null };
  const { viewer, workspace, stops } = data;
  return {
    ...query,
    data: {
      name: viewer.actor.name,
      uuid: viewer.actor.uuid,
      role: viewer.role ?? "VIEWER",
      workspaceName: workspace.name,
      isAllStopped: workspace.emergencyStop?.stages.length === 0,
      hasStops: stops.length > 0,
    },
  };
}

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <Context value={viewer}>{children}</Context>;
}

/** The logged-in user. Throws outside of a {@link ViewerProvider}. */
export function useViewer(): Viewer {
  const viewer = use(Context);
  if (viewer === null) throw new Error("useViewer requires a ViewerProvider");
  return viewer;
}

/** Whether the user has at least this role. Actions they may not use are hidden. */
export function useIsAtLeast(role: ViewerRole): boolean {
  return useRoleCheck()(role);
}

/** Tells of any role whether the user has at least it. */
export function useRoleCheck(): (role: ViewerRole) => boolean {
  const own = RANKS.indexOf(useViewer().role);
  return (role) => own >= RANKS.indexOf(role);
}

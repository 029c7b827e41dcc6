import { type ReactNode, createContext, use } from "react";
import { graphql } from "./graphql.ts";
import { type LiveQuery, useLiveQuery } from "./use-live-query.ts";

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
      emergencyStopAt
      emergencyStopReason
    }
  }
`);

/** What a person is in the workspace. */
export type ViewerRole = "OWNER" | "ADMIN" | "OPERATOR" | "VIEWER";

/** Who looks at the dashboard, and at which workspace. */
export type Viewer = {
  name: string;
  uuid: string | null;
  role: ViewerRole;
  workspaceName: string;
  /** Null where the workspace is not stopped. */
  emergencyStop: { at: string; reason: string | null } | null;
};

/** A session is handed anew only to a page that asks by HTTP. */
const HOUR_MS = 3_600_000;
const RANKS: readonly ViewerRole[] = ["VIEWER", "OPERATOR", "ADMIN", "OWNER"];
const Context = createContext<Viewer | null>(null);

/** Reads who looks. */
export function useViewerQuery(): LiveQuery<Viewer> {
  const query = useLiveQuery(ViewerQuery, {}, { types: ["workspace.*", "user.updated"], everyMs: HOUR_MS });
  if (query.data === null) return { ...query, data: null };
  const { viewer, workspace } = query.data;
  return {
    ...query,
    data: {
      name: viewer.actor.name,
      uuid: viewer.actor.uuid,
      role: viewer.role ?? "VIEWER",
      workspaceName: workspace.name,
      emergencyStop:
        workspace.emergencyStopAt === null
          ? null
          : { at: workspace.emergencyStopAt, reason: workspace.emergencyStopReason },
    },
  };
}

/** Gives the views who looks. */
export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <Context value={viewer}>{children}</Context>;
}

/** Who looks at the dashboard. */
export function useViewer(): Viewer {
  const viewer = use(Context);
  if (viewer === null) throw new Error("useViewer needs a ViewerProvider above");
  return viewer;
}

/** Whether who looks has a role or one above it: what somebody may not do is not offered. */
export function useIsAtLeast(role: ViewerRole): boolean {
  return RANKS.indexOf(useViewer().role) >= RANKS.indexOf(role);
}

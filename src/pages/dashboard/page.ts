import type { Ctx } from "../../domain/kernel/context.ts";
import { execute } from "../../schema/execute.ts";
import { graphql } from "../../schema/graphql.ts";
import type { Html } from "../html.ts";
import { type BuiltApp, readBuiltApp, readBuiltText } from "../http/built-app.ts";
import { ViewerFields, tellViewer } from "../layout/viewer.ts";
import { type Manifest, listPreloadTags } from "./preload-tags.ts";

/** The built dashboard, and the tags that load each of its views. */
export type Dashboard = { app: BuiltApp; preloads: ReadonlyMap<string, Html> };

const ReadViewer = graphql(
  `
    query ReadViewer {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

const ROOT = '<div id="root">';
const START = "now";

/** Reads the dashboard. Null if it is not built. */
export function readDashboard(): Dashboard | null {
  const [app, manifest] = [readBuiltApp("dashboard"), readBuiltText("dashboard", "manifest.json")];
  if (app === null || manifest === null) return null;
  return { app, preloads: listPreloadTags(JSON.parse(manifest) as Manifest) };
}

/** The dashboard's page, which tells its viewer, and loads the view of a path at once. */
export async function renderDashboard(ctx: Ctx, { app, preloads }: Dashboard, path: string): Promise<string> {
  const [, view = ""] = path.split("/");
  const told = tellViewer(await execute(ctx, ReadViewer, {}));
  return Buffer.from(app.page.body)
    .toString()
    .replace("</head>", () => `${preloads.get(view === "" ? START : view)?.text ?? ""}</head>`)
    .replace(ROOT, () => `<div id="root"${told.text}>`);
}

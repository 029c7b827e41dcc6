import { escapeHtml } from "../../http/escape-html.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { execute } from "../../schema/execute.ts";
import { graphql } from "../../schema/graphql.ts";

/** What the dashboard asks first: see its `ViewerQuery`. */
const ReadViewer = graphql(`
  query ReadViewer {
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

const ROOT = '<div id="root">';

/** Puts the viewer into the dashboard's page, so that its frame, with the emergency stop, waits for no request. */
export async function withViewer(ctx: Ctx, page: string): Promise<string> {
  const viewer = JSON.stringify(await execute(ctx, ReadViewer, {}));
  return page.replace(ROOT, () => `<div id="root" data-viewer="${escapeHtml(viewer)}">`);
}

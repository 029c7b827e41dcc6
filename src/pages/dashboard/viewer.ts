import type { Ctx } from "../../domain/kernel/context.ts";
import { execute } from "../../schema/execute.ts";
import { graphql } from "../../schema/graphql.ts";
import { attributes } from "../html.ts";

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
    eventsPage {
      cursor
    }
  }
`);

const ROOT = '<div id="root">';

/**
 * Puts the viewer into the dashboard's page, so that its frame, with the emergency stop, waits for no request, and the
 * events' cursor, from which on it follows them.
 */
export async function withViewer(ctx: Ctx, page: string): Promise<string> {
  const { eventsPage, ...viewer } = await execute(ctx, ReadViewer, {});
  const told = attributes({ "data-viewer": JSON.stringify(viewer), "data-cursor": eventsPage.cursor });
  return page.replace(ROOT, () => `<div id="root"${told.text}>`);
}

import { toVisibleText } from "../../ui/to-visible-text.ts";

/** The name of a trace's first span, as it can be shown. */
export function getTraceName({ rootName }: { rootName: string | null }): string {
  return rootName === null || rootName === "" ? "Unnamed trace" : toVisibleText(rootName);
}

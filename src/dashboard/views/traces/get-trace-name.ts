import { toVisibleText } from "../../ui/to-visible-text.ts";

type NamedTrace = { rootName: string | null; taskTitle: string | null };

/** The title of a task whose attempt it is, or the name of its first span, as they can be shown. */
export function getTraceName({ rootName, taskTitle }: NamedTrace): string {
  if (rootName === "run_task" && taskTitle !== null) return toVisibleText(taskTitle);
  return rootName === null || rootName === "" ? "Unnamed trace" : toVisibleText(rootName);
}

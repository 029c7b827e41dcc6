import { Html } from "../html.ts";
import { readBuiltText } from "./built-app.ts";

/** Scripts and styles of the build. The server adds others itself. */
const TAGS = /<(?:script|link) [^>]*"\/assets\/[^>]*>(?:<\/script>)?/g;

let known: Html | null = null;

/** The tags of what the dashboard puts around the settings. None while it is being built. */
export function getFrameTags(): Html | null {
  if (known !== null) return known;
  const page = readBuiltText("dashboard", "settings.html");
  if (page === null) return null;
  known = new Html((page.match(TAGS) ?? []).join("\n"));
  return known;
}

import { readFileSync } from "node:fs";

/** Reads the version from package.json, which is in the parent folder of src/ and dist/. */
export function readVersion(): string {
  const places = ["../../package.json", "../../../package.json"].map(
    (place) => new URL(place, import.meta.url),
  );
  for (const place of places) {
    try {
      // npm validates package.json.
      return (JSON.parse(readFileSync(place, "utf8")) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return "unknown";
}

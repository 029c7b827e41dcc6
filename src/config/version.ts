import { readFileSync } from "node:fs";

/** The package's version. Its package.json stands above src/, and above dist/ where it was built. */
export function readVersion(): string {
  const places = ["../../package.json", "../../../package.json"].map(
    (place) => new URL(place, import.meta.url),
  );
  for (const place of places) {
    try {
      // npm holds it to its shape.
      return (JSON.parse(readFileSync(place, "utf8")) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return "unknown";
}

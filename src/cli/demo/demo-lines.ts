import { type DemoCredentials, demoFilePath } from "./demo-file.ts";

/** What to print of a demo: where it is, who to log in as, and where its data lies. */
export function demoLines(
  { email, password, apiKey }: DemoCredentials,
  place: { baseUrl: string; dataDir: string },
): string[] {
  return [
    "Demo workspace",
    `  Open      ${place.baseUrl}`,
    `  Log in    ${email}   ${password}`,
    `  API key   ${apiKey}`,
    `  Data in   ${place.dataDir}   (these credentials: ${demoFilePath(place.dataDir)})`,
  ];
}

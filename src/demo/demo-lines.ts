import { type DemoCredentials, demoFilePath } from "./demo-file.ts";

/**
 * Describes a demo for people: its URL, credentials and data folder. A password that was changed is not
 * shown.
 */
export function demoLines(
  { email, password, apiKey }: DemoCredentials,
  place: { baseUrl: string | null; dataDir: string; isPasswordKept: boolean },
): string[] {
  const secret = place.isPasswordKept ? password : "(its password was changed)";
  return [
    "Demo workspace",
    `  Open      ${place.baseUrl ?? "the URL that the server prints when it starts"}`,
    `  Log in    ${email}   ${secret}`,
    `  API key   ${apiKey}`,
    `  Data in   ${place.dataDir}   (these credentials: ${demoFilePath(place.dataDir)})`,
  ];
}

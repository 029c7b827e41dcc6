import { type DemoCredentials, demoFilePath } from "./demo-file.ts";

/** What to print of a demo: where it is, who to log in as, and where its data lies. A password that was changed is not told. */
export function demoLines(
  { email, password, apiKey }: DemoCredentials,
  place: { baseUrl: string | null; dataDir: string; isPasswordKept: boolean },
): string[] {
  const secret = place.isPasswordKept ? password : "(its password was changed)";
  return [
    "Demo workspace",
    `  Open      ${place.baseUrl ?? "the address that the server tells when it starts"}`,
    `  Log in    ${email}   ${secret}`,
    `  API key   ${apiKey}`,
    `  Data in   ${place.dataDir}   (these credentials: ${demoFilePath(place.dataDir)})`,
  ];
}

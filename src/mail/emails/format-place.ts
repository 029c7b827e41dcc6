import type { ActivityOrigin } from "../../domain/emails/email.ts";

/** Formats when and where something happened, as a sentence. */
export function formatPlace({ at, ip, userAgent }: ActivityOrigin): string {
  const time = `${at.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
  const from = ip === null ? "" : `, from the address ${ip}`;
  return `This happened on ${time}${from}, with ${describeBrowser(userAgent)}.`;
}

const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /^(?=.*\bVersion\/).*\bSafari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["an iPhone", /\biPhone\b/],
  ["an iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** Names a browser in common words. Never repeats the User-Agent header. */
function describeBrowser(userAgent: string | null): string {
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (browser === null && system === null) return "an unknown program";
  return `${browser ?? "a browser"}${system === null ? "" : ` on ${system}`}`;
}

function findName(known: typeof BROWSERS, userAgent: string | null): string | null {
  if (userAgent === null) return null;
  return known.find(([, sign]) => sign.test(userAgent))?.[0] ?? null;
}

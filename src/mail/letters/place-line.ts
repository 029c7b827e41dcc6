import type { Place } from "../../domain/letters/letter.ts";

/** When and where something happened, as a sentence. */
export function placeLine({ at, ip, userAgent }: Place): string {
  const time = `${at.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
  const from = ip === null ? "" : `, from the address ${ip}`;
  return `It was done on ${time}${from}, with ${browserOf(userAgent)}.`;
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

/** A browser as its owner would call it. Nothing of what the browser says of itself is repeated. */
function browserOf(userAgent: string | null): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === null && system === null) return "a program that we do not know";
  return `${browser ?? "a browser"}${system === null ? "" : ` on ${system}`}`;
}

function nameIn(known: typeof BROWSERS, userAgent: string | null): string | null {
  if (userAgent === null) return null;
  return known.find(([, sign]) => sign.test(userAgent))?.[0] ?? null;
}

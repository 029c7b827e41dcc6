type Named = readonly [RegExp, string];

/** Order matters: most browsers name others as well. */
const BROWSERS: readonly Named[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly Named[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Describes a browser by its User-Agent: `Firefox on Linux`. */
export function describeDevice(userAgent: string | null): string {
  const browser = findName(BROWSERS, userAgent ?? "");
  const system = findName(SYSTEMS, userAgent ?? "");
  if (browser === null) return system === null ? "Unknown browser" : `Unknown browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}

function findName(names: readonly Named[], userAgent: string): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

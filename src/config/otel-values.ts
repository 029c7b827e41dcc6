/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
];

/** Reads `name=value,name=value`, percent-encoded; null if it is not that. */
export function parseHeaders(text: string): Record<string, string> | null {
  const entries = text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()] as const;
    });
  if (entries.some(([name]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))) return null;
  try {
    return Object.fromEntries(
      entries.map(([name, value]) => [name.toLowerCase(), decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
}

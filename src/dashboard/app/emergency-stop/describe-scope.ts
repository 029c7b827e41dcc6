/** Describes which agents a stop is for: "robots with hall=a, shift=night". */
export function describeScope({
  kind,
  labels,
}: {
  kind: "ROBOT" | "SOFTWARE" | null;
  labels: unknown;
}): string {
  const named = describeLabels(labels);
  return [KINDS[kind ?? "ALL"], ...(named === "" ? [] : [`with ${named}`])].join(" ");
}

const KINDS = { ALL: "agents", ROBOT: "robots", SOFTWARE: "software agents" } as const;

/** Formats labels: "hall=a, shift=night". */
export function describeLabels(labels: unknown): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(", ");
}

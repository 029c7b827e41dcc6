/** Parses labels such as `site=hall-a, zone=2`. Null if one has no name or no "=". */
export function parseLabels(text: string): Record<string, string> | null {
  const labels: Record<string, string> = {};
  for (const pair of text.split(",").map((one) => one.trim())) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    if (at < 1) return null;
    labels[pair.slice(0, at).trim()] = pair.slice(at + 1).trim();
  }
  return labels;
}

/** The labels to filter by, or null if there are none or they are malformed. */
export function toLabelFilter(text: string): Record<string, string> | null {
  const labels = parseLabels(text);
  return labels === null || Object.keys(labels).length === 0 ? null : labels;
}

/** What is taken off a model's name, one after the other. Each pattern is linear. */
const AFFIXES: readonly RegExp[] = [
  /\[1m\]$/, // Claude Code's mark of a large context
  /^arn:.*\//, // a Bedrock profile's
  /^(?:.*\/)?models\//, // Google's
  /^(?:af|ap|apac|au|ca|eu|global|il|jp|me|sa|us|us-gov)\./, // Bedrock's regions
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|nvidia|openai|qwen|writer|zai)\./,
  /-v\d{1,3}(?::\d{1,3})?$/, // Bedrock's versions
  /[-@]20\d{6}$/, // dates, Vertex's with `@`
  /-20\d{2}-\d{2}-\d{2}$/,
];

/** Longer names have no price. */
const MAX_LENGTH = 256;

/**
 * Lists the names that a model may have a price by: the one that was sent first, then without what providers
 * and clients put around it. In lower case.
 */
export function listModelNames(model: string): readonly string[] {
  if (model.length > MAX_LENGTH) return [];
  const names = [model.trim().toLowerCase()];
  for (const affix of AFFIXES) names.push((names.at(-1) ?? "").replace(affix, ""));
  return [...new Set(names)].filter((name) => name !== "");
}

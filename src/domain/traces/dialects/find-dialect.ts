import { aiSdk } from "./ai-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import type { Dialect } from "./dialect.ts";
import { genai } from "./genai.ts";
import { openinference } from "./openinference.ts";
import { openllmetry } from "./openllmetry.ts";

/** A sender that knows nothing of models: what it says in OpenTelemetry's words is read all the same. */
const plain: Dialect = { ...genai, name: "plain" };

/** In order: by what the scope's name begins with, or by what an attribute's name begins with. */
const MARKS: readonly { dialect: Dialect; scopes: readonly string[]; keys: readonly string[] }[] = [
  { dialect: claudeCode, scopes: ["com.anthropic.claude_code"], keys: [] },
  { dialect: codex, scopes: ["codex"], keys: ["codex."] },
  {
    dialect: openinference,
    scopes: ["openinference.", "@arizeai/openinference"],
    keys: ["openinference.span.kind"],
  },
  { dialect: aiSdk, scopes: [], keys: ["ai.operationId"] },
  {
    dialect: openllmetry,
    scopes: ["@traceloop/"],
    keys: ["traceloop.", "llm.request.type"],
  },
  { dialect: genai, scopes: [], keys: ["gen_ai."] },
];

/** Finds out who names a span's attributes. @param scope the name of the instrumentation scope. */
export function findDialect(scope: string, keys: readonly string[]): Dialect {
  const found = MARKS.find(
    (mark) =>
      mark.scopes.some((start) => scope.startsWith(start)) ||
      mark.keys.some((start) => keys.some((key) => key.startsWith(start))),
  );
  return found?.dialect ?? plain;
}

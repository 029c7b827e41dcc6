import { demoJson } from "../../demo/demo-file.ts";
import { demoLines } from "../../demo/demo-lines.ts";
import { fillDemo } from "../../demo/fill-demo.ts";
import { isPasswordKept } from "../../demo/is-password-kept.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

/** Fills the demo workspace, or continues to fill it. */
export async function runDemo({ services, config, log, signal }: CommandContext): Promise<CommandAnswer> {
  const { dataDir } = config;
  const credentials = await fillDemo(services, { log, dataDir, signal });
  // With PORT 0 the port differs at each start.
  const baseUrl = config.publicBaseUrl === null && config.port === 0 ? null : services.baseUrl();
  const isKept = await isPasswordKept(services, credentials);
  const json = demoJson(credentials);
  return {
    json: { ...json, password: isKept ? json.password : null },
    lines: demoLines(credentials, { baseUrl, dataDir, isPasswordKept: isKept }),
  };
}

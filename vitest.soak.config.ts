import { defineConfig, mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** The long forms of fault tests: `npm run soak`. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({ test: { include: ["test/soak/**/*.soak.ts"], maxWorkers: 1 } }),
);

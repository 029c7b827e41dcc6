import { writeFileSync } from "node:fs";
import { printedSchema } from "../src/schema/print.ts";

writeFileSync(new URL("../schema.graphql", import.meta.url), printedSchema());

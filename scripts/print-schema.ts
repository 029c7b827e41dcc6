import { writeFileSync } from "node:fs";
import { printSortedSchema } from "../src/schema/print.ts";

writeFileSync(new URL("../schema.graphql", import.meta.url), printSortedSchema());

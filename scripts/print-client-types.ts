import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { restApi } from "../compat/rest/api.ts";
import type { RestServices } from "../compat/rest/face.ts";
import { type OpenApi, clientTypes } from "./client-types.ts";

// The description is made of the routes alone: no service is asked.
const answer = await restApi({} as RestServices).request("/openapi.json");
// Our own document.
const document = (await answer.json()) as OpenApi;
const file = "src/client/api-types.ts";
writeFileSync(file, clientTypes(document));
spawnSync("npx", ["oxfmt", file], { stdio: "inherit" });

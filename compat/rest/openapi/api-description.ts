import type { RestApp } from "../shared/rest-app.ts";

/** The OpenAPI 3.1 document of /api/v1. */
export type ApiDescription = ReturnType<RestApp["getOpenAPI31Document"]>;

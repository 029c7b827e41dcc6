import { Hono } from "hono";
import type { HttpEnv } from "../../src/http/request.ts";
import { HOW_TO_AUTHENTICATE } from "./answer-error.ts";

/**
 * POST /register: where clients whose token is dead try to register for OAuth. They show their user this answer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591#section-3.2.2
 */
export function mcpRegistration(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/register", (c) =>
    c.json(
      {
        error: "invalid_client_metadata",
        error_description: `There is no sign-in here. ${HOW_TO_AUTHENTICATE}`,
      },
      400,
      { "cache-control": "no-store" },
    ),
  );
  return app;
}

import { type Context, Hono, type MiddlewareHandler } from "hono";
import { type VisitorServices, identifyVisitor } from "../../auth/identify.ts";
import { readFloorPlanImage } from "../../domain/floor-plans/read-floor-plan-image.ts";
import {
  DomainError,
  ERRORS,
  createBodyError,
  createFieldError,
  createNotFoundError,
} from "../../domain/kernel/errors.ts";
import { requireFactor } from "../../domain/kernel/guard.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { toDomainError } from "../../domain/kernel/to-domain-error.ts";
import type { HoldBody } from "../../http/held-bodies.ts";
import { limitBody } from "../../http/limit-body.ts";
import { answerProblem } from "../../http/problem.ts";
import { execute } from "../../schema/execute.ts";
import { graphql } from "../../schema/graphql.ts";
import { isUuid } from "../http/uuid-param.ts";
import { pageRoute } from "../http/page-route.ts";
import { secureHeaders } from "../http/secure-headers.ts";
import type { PageEnv } from "../page-env.ts";

const SetFloorPlan = graphql(`
  mutation UploadFloorPlan($input: SetFloorPlanInput!) {
    setFloorPlan(input: $input) {
      floorPlan {
        uuid
        imagePath
      }
    }
  }
`);

/** An image is no page: nothing in it runs or loads, however it is opened. */
const IMAGE_POLICY = "default-src 'none'; sandbox";

type FloorPlanServices = VisitorServices & { holdBody: HoldBody };

/**
 * Images of floor plans, for the people of their workspace:
 *
 * GET /floor-plans/{id} is the image; PUT /floor-plans?mapId=&resolution=&originX=&originY=&originYaw= sets one, whose
 * body is a PNG or an SVG, or nothing to keep the image that there is. Errors are problems in JSON.
 */
export function floorPlanRoutes(
  services: FloorPlanServices,
  { publicBaseUrl }: { publicBaseUrl: string | null },
): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.onError(answerError);
  app.use("/floor-plans/*", secureHeaders(publicBaseUrl), requirePerson(services), limitImage(services));
  pageRoute(app, "/floor-plans", { PUT: setPlan });
  pageRoute(app, "/floor-plans/:id", { GET: answerImage });
  return app;
}

/** Unlike for a page, who is not logged in is told so. */
function requirePerson(services: VisitorServices): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const ctx = await identifyVisitor(services, c);
    if (ctx === null) throw new DomainError("unauthenticated", "Log in first.");
    requireFactor(ctx);
    c.set("ctx", ctx);
    return next();
  };
}

function limitImage({ holdBody }: FloorPlanServices): MiddlewareHandler<PageEnv> {
  return limitBody<PageEnv>({
    maxBytes: LIMITS.floorPlanBytes,
    holdBody,
    getHolder: (c) => c.get("ip") ?? "",
    createError: createBodyError,
  });
}

async function setPlan(c: Context<PageEnv>): Promise<Response> {
  const body = await c.req.arrayBuffer();
  const input = {
    mapId: c.req.query("mapId") ?? "",
    resolution: readNumber(c, "resolution"),
    originX: readNumber(c, "originX"),
    originY: readNumber(c, "originY"),
    originYaw: readNumber(c, "originYaw"),
    ...(body.byteLength > 0 && { image: Buffer.from(body).toString("base64") }),
  };
  const { setFloorPlan } = await execute(c.get("ctx"), SetFloorPlan, { input });
  return c.json(setFloorPlan.floorPlan);
}

function readNumber(c: Context<PageEnv>, name: string): number {
  const text = c.req.query(name) ?? "";
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw createFieldError(name, "must be a number");
  return value;
}

async function answerImage(c: Context<PageEnv>): Promise<Response> {
  const id = c.req.param("id") ?? "";
  if (!isUuid(id)) throw createNotFoundError("floor plan");
  const knownHash = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(c.req.header("if-none-match") ?? "")?.[1] ?? null;
  const { image, mediaType, imageHash } = await readFloorPlanImage(c.get("ctx"), { id, knownHash });
  c.header("content-security-policy", IMAGE_POLICY);
  c.header("cache-control", "private, no-cache");
  c.header("etag", `"${imageHash}"`);
  if (image === null) return c.body(null, 304);
  return c.body(image, 200, { "content-type": mediaType });
}

function answerError(error: unknown, c: Context<PageEnv>): Response {
  const known = toDomainError(error);
  if (known === null) c.get("log").error({ err: error }, "a floor plan's request failed");
  const { code, message, details } =
    known ?? new DomainError("internal", "Something went wrong on our side.");
  const { field, errors } = details;
  return answerProblem(
    c,
    {
      ...{ ...ERRORS[code], code, detail: message },
      ...(field !== undefined && { field }),
      ...(errors !== undefined && { errors }),
    },
    // The rest of the body isn't read, so the connection can't be reused.
    code === "payload_too_large" ? { connection: "close" } : {},
  );
}

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { idParameter } from "../shared/parameters.ts";
import { IDEMPOTENT, bearer, jsonResponse, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, noBody, omitUndefined, uuid, wholeNumber } from "../shared/shapes.ts";
import {
  ReservationFields,
  amounts,
  reservation,
  reservationJson,
  toAmountsInput,
} from "./reservation-shape.ts";

const TAGS = ["Budgets"];
const shown = z.strictObject({ reservation });

const newReservation = z
  .strictObject({
    amounts: amounts.optional(),
    expires_in_s: wholeNumber(LIMITS.reservationSeconds).optional(),
    decision_id: uuid.optional().openapi({ description: "The check that it is for." }),
  })
  .openapi("NewBudgetReservation", {
    description: "What is about to be used. Each budget has its estimate of what is not said.",
  });

const routes = {
  reserve: createRoute({
    method: "post",
    path: "/budget_reservations",
    tags: TAGS,
    summary: "Reserve before you use",
    description:
      "Reserves of every budget that applies to the agent, or of none: used and reserved together never pass a limit. If one has no room, the response is 409 `budget_exceeded` with that budget. `asks`: a threshold says that a person is to be asked first. Settle or release it in time; what expires counts as used, unless the budget says otherwise.",
    security: bearer("gateway:check"),
    request: createBody(newReservation),
    responses: {
      201: jsonResponse("The reservation", z.strictObject({ reservation, asks: z.boolean() })),
      ...problems(
        ...(["budget_exceeded", "emergency_stop", "agent_paused", ...IDEMPOTENT] as const),
        ...([400, 401, 403, 413, 415, 422] as const),
      ),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/budget_reservations/{id}",
    tags: TAGS,
    summary: "Read one of your reservations",
    security: bearer("gateway:check"),
    request: { params: idParameter },
    responses: { 200: jsonResponse("The reservation", shown), ...problems(400, 401, 403, 404, 422) },
  }),
  settle: createRoute({
    method: "post",
    path: "/budget_reservations/{id}/settle",
    tags: TAGS,
    summary: "Say what you used",
    description:
      "It may be more than was reserved, and come after the expiry. What is not said counts as it was reserved. The same amounts again change nothing; others are 409 `invalid_state`.",
    security: bearer("gateway:check"),
    request: {
      params: idParameter,
      ...createBody(z.strictObject({ amounts: amounts.optional() }).openapi("SettledAmounts")),
    },
    responses: {
      200: jsonResponse("The reservation", shown),
      ...problems("invalid_state", 400, 401, 403, 404, 413, 415, 422),
    },
  }),
  release: createRoute({
    method: "post",
    path: "/budget_reservations/{id}/release",
    tags: TAGS,
    summary: "Give back what you reserved and did not use",
    description: "Calls count nevertheless: they are made when they are admitted.",
    security: bearer("gateway:check"),
    request: { params: idParameter, ...noBody },
    responses: {
      200: jsonResponse("The reservation", shown),
      ...problems("invalid_state", 400, 401, 403, 404, 413, 415, 422),
    },
  }),
};

const ReserveBudget = graphql(
  `
    mutation ReserveBudget($input: ReserveBudgetInput!) {
      reserved: reserveBudget(input: $input) {
        asks
        reservation {
          ...ReservationFields
        }
      }
    }
  `,
  [ReservationFields],
);

const ReadReservation = graphql(
  `
    query ReadReservation($uuid: UUID!) {
      reservation(uuid: $uuid) {
        ...ReservationFields
      }
    }
  `,
  [ReservationFields],
);

const SettleReservation = graphql(
  `
    mutation SettleReservation($input: SettleReservationInput!) {
      settled: settleReservation(input: $input) {
        reservation {
          ...ReservationFields
        }
      }
    }
  `,
  [ReservationFields],
);

const ReleaseReservation = graphql(
  `
    mutation ReleaseReservation($input: ReleaseReservationInput!) {
      released: releaseReservation(input: $input) {
        reservation {
          ...ReservationFields
        }
      }
    }
  `,
  [ReservationFields],
);

/** The routes of /api/v1/budget_reservations. */
export function budgetReservationRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const scope = "gateway:check";
  const idempotent = guardRouteWithBody(services, { scope, idempotent: true });
  app.openapi({ ...routes.reserve, middleware: idempotent }, async (c) => {
    const { amounts: asked, expires_in_s: expiresInSeconds, decision_id: decisionUuid } = c.req.valid("json");
    const input = omitUndefined({ ...toAmountsInput(asked), expiresInSeconds, decisionUuid });
    const { reserved } = await execute(getCtx(c), ReserveBudget, { input });
    const made = reservationJson(reserved.reservation);
    const headers = { location: `/api/v1/budget_reservations/${made.id}` };
    return c.json({ reservation: made, asks: reserved.asks }, 201, headers);
  });
  app.openapi({ ...routes.read, middleware: guardRoute(services, { scope }) }, async (c) => {
    const found = await execute(getCtx(c), ReadReservation, { uuid: c.req.valid("param").id });
    return c.json({ reservation: reservationJson(found.reservation) }, 200);
  });
  const middleware = guardRouteWithBody(services, { scope });
  app.openapi({ ...routes.settle, middleware }, async (c) => {
    const input = { uuid: c.req.valid("param").id, ...toAmountsInput(c.req.valid("json").amounts) };
    const { settled } = await execute(getCtx(c), SettleReservation, { input });
    return c.json({ reservation: reservationJson(settled.reservation) }, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const input = { uuid: c.req.valid("param").id };
    const { released } = await execute(getCtx(c), ReleaseReservation, { input });
    return c.json({ reservation: reservationJson(released.reservation) }, 200);
  });
  return app;
}

import { Hono } from "hono";
import { withDashboard } from "../http/secure-headers.ts";
import { requireAdmin, requireVisitor } from "../http/visitor.ts";
import { listSections } from "../layout/sections.ts";
import type { PageEnv } from "../page-env.ts";
import type { PagesServices } from "../pages-services.ts";
import { agentTokenPageRoutes } from "./agent-tokens/routes.ts";
import { keyListRoutes } from "./api-keys/list-routes.ts";
import { keyRoutes } from "./api-keys/key-routes.ts";
import { newKeyRoutes } from "./api-keys/new-routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { emailRoutes } from "./email/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { inviteRoutes } from "./members/invite-routes.ts";
import { memberListRoutes } from "./members/list-routes.ts";
import { memberRoutes } from "./members/member-routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { passwordRoutes } from "./password/routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { scimRoutes } from "./scim/routes.ts";
import { securityRoutes } from "./security/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { socketTokenPageRoutes } from "./socket-tokens/routes.ts";
import { webhookEndpointRoutes } from "./webhooks/endpoint-routes.ts";
import { webhookListRoutes } from "./webhooks/list-routes.ts";
import { workloadListRoutes } from "./workloads/list-routes.ts";
import { workloadTrustRoutes } from "./workloads/trust-routes.ts";
import { workspaceRoutes } from "./workspace/routes.ts";

/** /settings: account pages for every user, workspace pages for admins. */
export function settingsRoutes(services: PagesServices): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use("/settings/*", withDashboard, requireVisitor(services));
  const everybodys = new Set(listSections(false).map(({ href }) => href));
  for (const { href } of listSections(true)) {
    if (!everybodys.has(href)) app.use(`${href}/*`, requireAdmin);
  }
  const sections = [
    profileRoutes(),
    passwordRoutes(services.passwords.min),
    emailRoutes(services),
    securityRoutes(),
    notificationRoutes(),
    workspaceRoutes(),
    memberListRoutes(),
    inviteRoutes(services),
    memberRoutes(services),
    groupRoutes(),
    keyListRoutes(),
    newKeyRoutes(),
    keyRoutes(),
    agentTokenPageRoutes(),
    socketTokenPageRoutes(),
    workloadListRoutes(services),
    workloadTrustRoutes(),
    scimRoutes(services),
    signInRoutes(services),
    webhookListRoutes(),
    webhookEndpointRoutes(),
    auditRoutes(),
  ];
  for (const section of sections) app.route("/", section);
  return app;
}

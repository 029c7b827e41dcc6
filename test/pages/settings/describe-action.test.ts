import { describe, expect, it } from "vitest";
import { describeAction } from "../../../src/pages/settings/audit/describe-action.ts";

describe("describeAction", () => {
  it.each([
    ["session.created", "Logged in"],
    ["api_key.revoked", "API key revoked"],
    ["eval_run.baseline_promoted", "Evaluation run baseline promoted"],
    ["webhook_endpoint.secret_rotated", "Webhook secret rotated"],
    ["stop.started", "Emergency stop started"],
    ["alert_rule.created", "Alert rule created"],
    ["thing_of_tomorrow.was_seen", "Thing of tomorrow was seen"],
  ])("says of %s: %s", (action, words) => expect(describeAction(action)).toBe(words));
});

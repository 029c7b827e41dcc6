import type { Trade } from "./trade.ts";

/** What agents do for engineering and in the warehouse. */
export const ENGINEERING_TRADES: readonly Trade[] = [
  {
    queue: "code-review",
    weight: 12,
    workers: ["code-review"],
    askers: ["dependency-updates"],
    minutes: [1, 16],
    labels: { team: "engineering" },
    titles: [
      "Review {repo}{pr}: {branch}",
      "Review {repo}{pr} again after the fixes",
      "Look at the failing test of {repo}{pr}",
      "Check {repo}{pr} for a missing migration",
    ],
    briefs: ["{count} lines in {few} files. It touches the payment path.", "The author asks about {test}."],
    doing: ["Reading file {few} of {days}", "Running the tests of {repo}", "Writing {few} comments"],
    results: [
      "Approved with {few} small comments.",
      "Changes asked for: {test} is not covered and fails.",
      "{few} comments, one of them serious: the lock is taken in another order than in {repo2}.",
    ],
    failures: [
      { code: "checkout_failed", message: "Branch {branch} was deleted meanwhile.", retryable: false },
      {
        code: "runner_lost",
        message: "The build runner went away after {minutes} minutes.",
        retryable: true,
      },
    ],
    questions: [
      {
        question: "{repo}{pr} drops a column that {repo2} still reads. Block it?",
        answer: "Block it. {repo2} goes first, on {weekday}.",
      },
      {
        question: "The change is right but has no test for {test}. Approve anyway?",
        answer: "No, ask for the test. It broke twice this year.",
      },
    ],
  },
  {
    queue: "dependencies",
    weight: 5,
    workers: ["dependency-updates"],
    askers: ["primary"],
    minutes: [3, 30],
    labels: { team: "engineering", topic: "security" },
    titles: [
      "Bring {package} in {repo} to {version}",
      "Fix the advisory on {package} in {repo}",
      "Remove the unused packages of {repo}",
    ],
    briefs: ["Severity high; we don't call the function in question, but upgrade all the same."],
    doing: ["Reading the change log of {package} {version}", "Running {count} tests"],
    results: [
      "Opened {repo}{pr}; all {count} tests pass.",
      "Upgraded to {version}; two calls had to change their arguments.",
    ],
    failures: [
      { code: "tests_failed", message: "{few} tests fail with {package} {version}.", retryable: false },
      { code: "registry_timeout", message: "The package registry timed out.", retryable: true },
    ],
    questions: [
      {
        question: "{package} {version} wants a newer runtime than {repo} has. Upgrade both at once?",
        answer: "Separate pull requests, please. Runtime first.",
      },
    ],
  },
  {
    queue: "incidents",
    weight: 4,
    workers: ["incident-analyst"],
    askers: ["primary"],
    minutes: [4, 50],
    labels: { team: "engineering", topic: "operations" },
    titles: [
      "Find out why {metric} of {service} doubled at noon",
      "Collect the evidence on the alert of {service}",
      "Write the first draft of the report on {weekday}'s outage",
    ],
    briefs: ["The alert fired {few} times in {minutes} minutes. Start with the deployments of the day."],
    doing: ["Reading {count} log lines around the alert", "Comparing with the same hour last week"],
    results: [
      "Cause: a deployment of {repo} at the same minute. Rolled back, {metric} is normal.",
      "Not ours: {carrier}'s interface answered slowly for {minutes} minutes.",
      "Draft attached; {few} open questions are marked.",
    ],
    failures: [
      { code: "logs_expired", message: "The logs of {service} are kept for 7 days only.", retryable: false },
    ],
    questions: [
      {
        question: "I could restart {service} now, which loses {few} carts. Do it?",
        answer: "Do it, the {metric} hurts more.",
      },
    ],
  },
  {
    queue: "fleet",
    weight: 13,
    workers: ["fleet-dispatcher"],
    askers: ["demand-forecast", "returns-desk"],
    minutes: [2, 18],
    labels: { team: "operations", site: "hall-a" },
    titles: [
      "{mission}",
      "{mission}",
      "Find out why tote {tote} is not at {place}",
      "Plan the robots' charging for {weekday}'s peak",
      "Make room in aisle {aisle} for {units} × {product}",
    ],
    briefs: [
      "Wanted at {place} before the {carrier} truck leaves.",
      "People work in aisle {aisle} until the break.",
    ],
    doing: ["Waiting for a free robot", "Robot on its way to {place}", "Mission at step {few}"],
    results: [
      "Done in {minutes} minutes, no detour.",
      "Done; the robot waited {few} minutes for a pallet truck in aisle {aisle}.",
      "Tote {tote} stood one shelf too low. Corrected in the stock system.",
    ],
    failures: [
      {
        code: "no_robot_available",
        message: "No robot with enough battery was free for {minutes} minutes.",
        retryable: true,
      },
      { code: "load_missing", message: "Tote {tote} was not at {place}.", retryable: false },
      { code: "lane_blocked", message: "Aisle {aisle} was blocked for {minutes} minutes.", retryable: true },
    ],
    questions: [
      {
        question: "Aisle {aisle} is blocked by a broken pallet. Go around through the cold store?",
        answer: "No, wait. Somebody is on the way with the truck.",
      },
      {
        question: "Tote {tote} weighs more than its label says. Carry it anyway?",
        answer: "Stop and leave it at the returns bench, we'll weigh it.",
      },
    ],
  },
];

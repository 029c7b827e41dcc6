import type { JobProfile } from "./job-profile.ts";

/** Jobs for engineering and the warehouse. */
export const ENGINEERING_JOB_PROFILES: readonly JobProfile[] = [
  {
    queue: "code-review",
    weight: 12,
    workers: ["code-review"],
    askers: ["dependency-updates"],
    minutes: [1, 16],
    labels: { team: "engineering" },
    jobs: [
      {
        title: "Review {repo}{pr}: {branch}",
        brief: "{count} lines in {few} files. It touches the payment path.",
        result: "Approved with {few} small comments.",
        question: {
          question: "The change is right but has no test for {test}. Approve anyway?",
          answer: "No, ask for the test. It broke twice this year.",
        },
      },
      {
        title: "Review {repo}{pr} again after the fixes",
        brief: "The author asks about {test}.",
        result: "All {few} comments are resolved. Approved.",
      },
      {
        title: "Look at the failing test of {repo}{pr}",
        brief: "It fails on about one run in ten.",
        result: "The test depends on the order of rows; proposed a fix in a comment.",
      },
      {
        title: "Check {repo}{pr} for a missing migration",
        brief: "A column is renamed.",
        result: "The migration was missing; it is added now and runs both ways.",
        question: {
          question: "{repo}{pr} renames a column that another service still reads. Block it?",
          answer: "Block it. The other one goes first, on {weekday}.",
        },
      },
      {
        title: "Review the error handling of {repo}{pr}",
        brief: "It calls {carrier} for every order.",
        result: "Changes asked for: {test} is not covered and fails.",
        question: {
          question: "It tries again for ever when {carrier} does not answer. Ask for a limit?",
          answer: "Yes, three times at most.",
        },
      },
    ],
    doing: ["Reading file {progress}", "Running the tests of {repo}", "Writing {few} comments"],
    failures: [
      { code: "checkout_failed", message: "Branch {branch} was deleted meanwhile.", retryable: false },
      {
        code: "runner_lost",
        message: "The build runner went away.",
        retryable: true,
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
    jobs: [
      {
        title: "Bring {package} in {repo} to {version}",
        brief: "Two minor versions behind.",
        result: "Opened {repo}{pr}; all {count} tests pass.",
        question: {
          question: "{package} {version} wants a newer runtime than {repo} has. Upgrade both at once?",
          answer: "Separate pull requests, please. Runtime first.",
        },
      },
      {
        title: "Fix the advisory on {package} in {repo}",
        brief: "Severity high; we don't call the function in question, but upgrade all the same.",
        result: "Upgraded {package} to {version}; two calls had to change their arguments.",
        question: {
          question: "The fixed {package} drops an option that {repo} sets. Remove it?",
          answer: "Remove it, nobody needs it.",
        },
      },
      {
        title: "Remove the unused packages of {repo}",
        brief: "The list is from the last build.",
        result: "{few} packages removed, the image is {percent} smaller.",
      },
    ],
    doing: ["Reading the change log of {package} {version}", "Running {count} tests"],
    failures: [
      { code: "tests_failed", message: "{few} tests fail with {package} {version}.", retryable: false },
      { code: "registry_timeout", message: "The package registry timed out.", retryable: true },
    ],
  },
  {
    queue: "incidents",
    weight: 4,
    workers: ["incident-analyst"],
    askers: ["primary"],
    minutes: [4, 50],
    labels: { team: "engineering", topic: "operations" },
    jobs: [
      {
        title: "Find out why {metric} of {service} doubled at noon",
        brief: "Start with the deployments of the day.",
        result: "Cause: a deployment of {repo} at the same minute. Rolled back, it is normal again.",
        question: {
          question: "I could restart {service} now, which loses {few} carts. Do it?",
          answer: "Do it, the {metric} hurts more.",
        },
      },
      {
        title: "Collect the evidence on the alert of {service}",
        brief: "It fired {few} times in {minutes} minutes.",
        result: "Not ours: {carrier}'s interface answered slowly for {minutes} minutes.",
      },
      {
        title: "Write the first draft of the report on {weekday}'s outage",
        brief: "Timeline, cause, what we change. Blame nobody.",
        result: "Draft attached; {few} open questions are marked.",
        question: {
          question: "May the draft name the supplier whose part failed?",
          answer: "Not before they have seen it.",
        },
      },
    ],
    doing: ["Reading {count} log lines around the alert", "Comparing with the same hour last week"],
    failures: [
      {
        code: "search_timeout",
        message: "The search in the logs ran out of time.",
        retryable: true,
      },
      { code: "logs_expired", message: "The logs of {service} are kept for 7 days only.", retryable: false },
    ],
  },
  {
    queue: "fleet",
    weight: 13,
    workers: ["fleet-dispatcher"],
    askers: ["demand-forecast", "returns-desk"],
    minutes: [2, 18],
    labels: { team: "operations", site: "hall-a" },
    jobs: [
      {
        title: "{errand}",
        brief: "Wanted before the {carrier} truck leaves.",
        result: "Done, without a detour.",
      },
      {
        title: "{errand}",
        brief: "People work in aisle {aisle} until the break.",
        result: "Done; the robot waited for a pallet truck in aisle {aisle}.",
      },
      {
        title: "{errand}",
        brief: "Nothing special.",
        result: "Done, nothing to report.",
      },
      {
        title: "Find out why tote {tote} is not at {place}",
        brief: "The stock system says it is.",
        result: "Tote {tote} stood one shelf too low. Corrected in the stock system.",
        question: {
          question: "Tote {tote} weighs more than its label says. Bring it back all the same?",
          answer: "Leave it at the returns bench, we'll weigh it.",
        },
      },
      {
        title: "Plan the robots' charging for {weekday}'s peak",
        brief: "Nobody below 40 % at 10:00.",
        result: "Plan stored: {few} robots charge before 09:30, two at noon.",
        question: {
          question: "One robot would be below 40 % at 10:00. Charge it during the peak?",
          answer: "No, the evening before.",
        },
      },
      {
        title: "Make room in aisle {aisle} for {units} × {product}",
        brief: "They arrive on {weekday} at {dock}.",
        result: "{few} totes moved, {units} places are free.",
        question: {
          question: "Aisle {aisle} is blocked by a broken pallet. Start with the other end?",
          answer: "No, wait. Somebody is on the way with the truck.",
        },
      },
    ],
    doing: ["Waiting for a free robot", "Robot on its way to {place}", "Mission at step {few}"],
    failures: [
      {
        code: "no_robot_available",
        message: "No robot with enough battery was free.",
        retryable: true,
      },
      { code: "load_missing", message: "Tote {tote} was not at {place}.", retryable: false },
      { code: "lane_blocked", message: "Aisle {aisle} was blocked.", retryable: true },
    ],
  },
];

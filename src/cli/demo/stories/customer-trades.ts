import type { Trade } from "./trade.ts";

/** What agents do for customers. */
export const CUSTOMER_TRADES: readonly Trade[] = [
  {
    queue: "support",
    weight: 26,
    workers: ["support-replies"],
    askers: ["support-triage", "support-triage"],
    minutes: [1, 14],
    labels: { team: "customers", channel: "mail" },
    titles: [
      "Answer {customer}: where is order {order}?",
      "Answer {customer}: {product} arrived with a broken buckle",
      "Tell {customer} which size of the {product} fits",
      "Explain the customs fee on order {order} to {customer}",
      "Answer ticket {ticket}: voucher refused at checkout",
      "Change the delivery address of order {order} before {carrier} collects it",
      "Apologise to {customer} for the late delivery of order {order}",
      "Answer {company}: quote for {units} × {product}",
    ],
    briefs: [
      "{customer} wrote for the second time. Order {order} left the warehouse {days} days ago with {carrier}.",
      "Ticket {ticket}. The customer is polite and wants a date. Check the carrier's page before you answer.",
      "Please answer in the customer's language and offer nothing above {amount}.",
    ],
    doing: [
      "Reading the customer's last {few} tickets",
      "Waiting for {carrier}'s tracking page",
      "Drafting the answer",
    ],
    results: [
      "Answered {customer}: {carrier} delivers on {weekday}. Ticket closed.",
      "Sent a replacement buckle free of charge and closed ticket {ticket}.",
      "Customer confirmed the new address; order {order} goes out on {weekday}.",
      "Answered with the size chart and a link to the {product}. No reply needed.",
      "Offered a voucher of {amount}; {customer} accepted it.",
    ],
    failures: [
      {
        code: "carrier_unavailable",
        message: "{carrier}'s tracking did not answer in three attempts.",
        retryable: true,
      },
      { code: "ticket_locked", message: "Ticket {ticket} is being edited by a colleague.", retryable: true },
      { code: "no_such_order", message: "Order {order} is not in the shop's database.", retryable: false },
    ],
    questions: [
      {
        question:
          "{customer} asks for {amount} back although the parcel arrived only {days} days late. May I?",
        answer: "Yes, once. Mention that it is goodwill.",
      },
      {
        question:
          "The parcel is marked as delivered, the customer says it isn't. Send another {product} now?",
        answer:
          "Open a case with {carrier} first, and send the new one if they haven't found it by {weekday}.",
      },
    ],
  },
  {
    queue: "triage",
    weight: 12,
    workers: ["support-triage"],
    askers: ["primary"],
    minutes: [0.3, 3],
    labels: { team: "customers" },
    titles: [
      "Sort the {count} tickets that came in overnight",
      "Triage ticket {ticket} from {customer}",
      "Find duplicates among the open tickets about the {product}",
      "Route the mails that {company} sent to the wrong address",
    ],
    briefs: [
      "New tickets since the last run are in the inbox view `unsorted`.",
      "Set language, urgency and topic. Give anything legal to a person.",
    ],
    doing: ["{few} of {count} tickets read", "Comparing with tickets of the last 30 days"],
    results: [
      "{count} tickets sorted, {few} given to people, {few2} closed as duplicates.",
      "Ticket {ticket} is a warranty case: given to the returns desk.",
      "Tagged as urgent and handed to Support Replies.",
    ],
    failures: [
      { code: "inbox_unavailable", message: "The help desk answered 503 for two minutes.", retryable: true },
      {
        code: "attachment_unreadable",
        message: "The attachment of {ticket} is an encrypted PDF.",
        retryable: false,
      },
    ],
    questions: [
      {
        question: "Ticket {ticket} threatens a lawyer's letter. To whom does it go?",
        answer: "To me. Please answer nothing.",
      },
    ],
  },
  {
    queue: "returns",
    weight: 9,
    workers: ["returns-desk"],
    askers: ["support-replies", "support-triage"],
    minutes: [1, 20],
    labels: { team: "customers", topic: "returns" },
    titles: [
      "Decide on the return of order {order} ({product})",
      "Make a return label for {customer} with {carrier}",
      "Check the photos of the damaged {product} from ticket {ticket}",
      "Ask for the refund of {amount} for order {order}",
    ],
    briefs: [
      "Bought {days} weeks ago, used once according to the customer. Policy section 4 applies.",
      "The customer sent {few} photos. Compare them with the defect catalogue.",
    ],
    doing: ["Looking at {few} photos", "Checking the purchase against the return policy"],
    results: [
      "Return accepted, label sent, refund of {amount} asked for.",
      "Return refused: worn soles. Offered a repair instead.",
      "Photos show a seam failure known from the same lot; full refund of {amount}.",
    ],
    failures: [
      {
        code: "label_refused",
        message: "{carrier} refuses labels from {country} without a phone number.",
        retryable: false,
      },
      {
        code: "payment_provider_timeout",
        message: "The refund of {amount} was not confirmed in 30 s.",
        retryable: true,
      },
    ],
    questions: [
      {
        question:
          "The {product} was returned after {count} days, but {customer} has spent {large} this year. Accept?",
        answer: "Accept as goodwill and note it on the account.",
      },
      {
        question: "The photos are too dark to tell the defect. Ask again or send it to the returns bench?",
        answer: "Send it in, we pay the postage.",
      },
    ],
  },
  {
    queue: "reviews",
    weight: 5,
    workers: ["review-responder"],
    askers: ["primary"],
    minutes: [1, 9],
    labels: { team: "customers", channel: "web" },
    titles: [
      "Answer {few} new reviews of the {product}",
      "Summarise what {country} says about the {product}",
      "Report the fake reviews of the {product}",
    ],
    briefs: ["Be short, thank them, never argue. Product safety goes to a person at once."],
    doing: ["Reading review {few} of {count}"],
    results: [
      "{few} reviews answered. {few2} mention the zip; reported to the product team.",
      "Average moved from 4.1 to 4.3 since the new lot. Summary attached.",
    ],
    failures: [
      {
        code: "platform_rejected",
        message: "The platform refused the answer as too similar.",
        retryable: false,
      },
    ],
    questions: [
      {
        question: "A review of the {product} speaks of a burn. Answer it or leave it to legal?",
        answer: "Leave it, and send me the link.",
      },
    ],
  },
];

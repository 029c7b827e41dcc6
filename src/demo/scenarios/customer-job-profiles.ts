import type { JobProfile } from "./job-profile.ts";

/** Jobs for customers. */
export const CUSTOMER_JOB_PROFILES: readonly JobProfile[] = [
  {
    queue: "support",
    weight: 26,
    workers: ["support-replies"],
    askers: ["support-triage", "support-triage"],
    minutes: [1, 14],
    labels: { team: "customers", channel: "mail" },
    jobs: [
      {
        title: "Answer {customer}: where is order {order}?",
        brief:
          "{customer} wrote for the second time. Order {order} left the warehouse {few} days ago with {carrier}.",
        result: "{carrier} delivers order {order} on {weekday}. {customer} knows, ticket closed.",
        question: {
          question:
            "{carrier} marked order {order} as delivered, {customer} says it isn't. Send it again now?",
          answer:
            "Open a case with {carrier} first, and send it again if they haven't found it by {weekday}.",
        },
      },
      {
        title: "Answer {customer}: {product} arrived with a broken buckle",
        brief: "Ticket {ticket}. Photos are attached; send a spare part if it is only the buckle.",
        result: "Sent a spare buckle free of charge and closed ticket {ticket}.",
        question: {
          question: "The photos show a torn strap too. Send another {product} instead of the buckle?",
          answer: "Yes, and ask for the old one back.",
        },
      },
      {
        title: "Tell {customer} which size of the {product} fits",
        brief: "Between M and L, wants to wear it over a fleece.",
        result: "Recommended L with a link to the size chart; {customer} thanked us.",
      },
      {
        title: "Explain the customs fee on order {order} to {customer}",
        brief: "{customer} paid {small} at the door in Norway and asks why.",
        result: "Explained the fee and sent the form for getting it back.",
        question: {
          question: "{customer} wants us to pay the fee of {small}. May I?",
          answer: "Yes, this once. Our page did not mention it.",
        },
      },
      {
        title: "Answer ticket {ticket}: voucher refused at checkout",
        brief: "The voucher is of {small} and ends on {weekday}.",
        result: "The voucher needs a basket above €50. Made a new one of {small} without that rule.",
        question: {
          question: "The voucher ended while we were answering. Make a new one of {small}?",
          answer: "Yes, valid for a month.",
        },
      },
      {
        title: "Change the delivery address of order {order} before {carrier} collects it",
        brief: "The new street is in the ticket. Collection is at 16:30.",
        result: "Address changed and confirmed by {customer}; the label is printed anew.",
      },
      {
        title: "Apologise to {customer} for the late delivery of order {order}",
        brief: "{few} days late because of {carrier}'s strike. A voucher up to {small} is all right.",
        result: "Apologised with a voucher of {small}; {customer} accepted it.",
        question: {
          question:
            "{customer} asks for {amount} back although order {order} came only {few} days late. May I?",
          answer: "Yes, once. Mention that it is goodwill.",
        },
      },
      {
        title: "Answer {company}: quote for {units} × {product}",
        brief: "They ordered last year too. Discount table 2025, column B.",
        result: "Quote over {large} sent, valid for 14 days.",
        question: {
          question: "{company} asks for 5 % more than column B gives. Offer it?",
          answer: "Offer 3 %, and free delivery.",
        },
      },
    ],
    doing: [
      "Reading the customer's last {few} tickets",
      "Waiting for {carrier}'s tracking page",
      "Drafting the answer",
    ],
    failures: [
      {
        code: "desk_unavailable",
        message: "The help desk did not answer.",
        retryable: true,
      },
      {
        code: "carrier_unavailable",
        message: "{carrier}'s tracking did not answer in three attempts.",
        retryable: true,
      },
      { code: "ticket_locked", message: "Ticket {ticket} is being edited by a colleague.", retryable: true },
      { code: "no_such_order", message: "Order {order} is not in the shop's database.", retryable: false },
    ],
  },
  {
    queue: "triage",
    weight: 12,
    workers: ["support-triage"],
    askers: ["primary"],
    minutes: [0.3, 3],
    labels: { team: "customers" },
    jobs: [
      {
        title: "Sort the {count} tickets that came in overnight",
        brief: "New tickets since the last run are in the inbox view `unsorted`.",
        result: "{count} tickets sorted, {few} given to people, {few2} closed as duplicates.",
      },
      {
        title: "Triage ticket {ticket} from {customer}",
        brief: "Set language, urgency and topic. Give anything legal to a person.",
        result: "A warranty case: given to the returns desk with the invoice attached.",
        question: {
          question: "Ticket {ticket} threatens a lawyer's letter. To whom does it go?",
          answer: "To me. Please answer nothing.",
        },
      },
      {
        title: "Find duplicates among the open tickets about the {product}",
        brief: "Since {weekday} many people ask the same thing.",
        result: "{few} tickets merged into {ticket}; the answer goes to all of them.",
      },
      {
        title: "Route the mails that {company} sent to the wrong address",
        brief: "They wrote to the press mailbox.",
        result: "{few} mails moved to business sales, {company} knows the right address.",
        question: {
          question: "One of the mails asks for an interview. To the press after all?",
          answer: "Yes, that one alone.",
        },
      },
    ],
    doing: ["{progress} tickets read", "Comparing with tickets of the last 30 days"],
    failures: [
      { code: "inbox_unavailable", message: "The help desk answered 503.", retryable: true },
      {
        code: "attachment_unreadable",
        message: "The attachment of {ticket} is an encrypted PDF.",
        retryable: false,
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
    jobs: [
      {
        title: "Decide on the return of order {order} ({product})",
        brief: "Bought {few} weeks ago, used once according to {customer}. Policy section 4 applies.",
        result: "Return accepted, label sent to {customer}, refund of {amount} asked for.",
        question: {
          question:
            "The {product} came back a week after the time limit, but {customer} buys every month. Accept?",
          answer: "Accept as goodwill and note it on the account.",
        },
      },
      {
        title: "Make a return label for {customer} with {carrier}",
        brief: "Order {order}, one parcel of 3 kg.",
        result: "Label sent; {carrier} collects on {weekday}.",
      },
      {
        title: "Check the photos of the damaged {product} from ticket {ticket}",
        brief: "The customer sent {few} photos. Compare them with the defect catalogue.",
        result: "A seam failure known from the same lot; full refund of {amount}.",
        question: {
          question:
            "The photos are too dark to tell the defect. Ask again, or have the {product} sent to the returns bench?",
          answer: "Have it sent in, we pay the postage.",
        },
      },
      {
        title: "Ask for the refund of {amount} for order {order}",
        brief: "The {product} is back and passed the returns bench.",
        result: "Refund of {amount} confirmed by the payment provider.",
      },
      {
        title: "Answer {customer}: worn soles after one season",
        brief: "Order {order}. The warranty covers the glue, not the wear.",
        result: "Return refused, repair for {small} offered instead.",
        question: {
          question: "{customer} sent a photo of a sole that came off. Is that the glue?",
          answer: "It is. Exchange them.",
        },
      },
    ],
    doing: ["Looking at {few} photos", "Checking the purchase against the return policy"],
    failures: [
      {
        code: "returns_unavailable",
        message: "The returns system did not answer.",
        retryable: true,
      },
      {
        code: "label_refused",
        message: "{carrier} refuses labels without a phone number.",
        retryable: false,
      },
      {
        code: "payment_provider_timeout",
        message: "The refund of {amount} was not confirmed in 30 s.",
        retryable: true,
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
    jobs: [
      {
        title: "Answer {few} new reviews of the {product}",
        brief: "Be short, thank them, never argue. Product safety goes to a person at once.",
        result: "{few} reviews answered. {few2} mention the zip; reported to the product team.",
        question: {
          question: "A review of the {product} speaks of a burn. Answer it or leave it to legal?",
          answer: "Leave it, and send me the link.",
        },
      },
      {
        title: "Summarise what {country} says about the {product}",
        brief: "All reviews of this season, one page.",
        result: "Average of 4.3 after 4.1 last season; {percent} mention the weight. Summary attached.",
      },
      {
        title: "Report the fake reviews of the {product}",
        brief: "Three accounts, same wording, same hour.",
        result: "{few} reviews reported, {few2} are gone already.",
        question: {
          question: "A fourth account praises the {product} in the same words. Report it too?",
          answer: "Yes, all that say the same.",
        },
      },
    ],
    doing: ["Reading review {progress}"],
    failures: [
      {
        code: "platform_rejected",
        message: "The platform refused the answer as too similar.",
        retryable: false,
      },
    ],
  },
];

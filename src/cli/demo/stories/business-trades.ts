import type { Trade } from "./trade.ts";

/** What agents do for finance and commerce. */
export const BUSINESS_TRADES: readonly Trade[] = [
  {
    queue: "invoices",
    weight: 11,
    workers: ["invoice-reader"],
    askers: ["primary", "billing-reconciler"],
    minutes: [1, 8],
    labels: { team: "finance" },
    titles: [
      "Book invoice {invoice} from {supplier}",
      "Match {supplier}'s invoice {invoice} with {po}",
      "Read the {few} invoices in {supplier}'s mail of {weekday}",
      "Check the VAT on invoice {invoice}",
    ],
    briefs: ["Total {large}, due in {days} days. The order is {po}.", "The scan is in the attachments."],
    doing: ["Page {few} of {days}", "Comparing {few} lines with {po}"],
    results: [
      "Booked {large} against {po}; all {few} lines match.",
      "Booked with a difference of {amount} in freight, within tolerance.",
      "Duplicate of an invoice booked last month; set aside.",
    ],
    failures: [
      { code: "unreadable_scan", message: "Page 2 of {invoice} is cut off at the totals.", retryable: false },
      { code: "no_purchase_order", message: "{invoice} names {po}, which was cancelled.", retryable: false },
      { code: "ledger_unavailable", message: "The ledger is closed for the nightly run.", retryable: true },
    ],
    questions: [
      {
        question: "{supplier} charges {amount} more freight than {po} says. Book it or dispute it?",
        answer: "Book it. They told us about the fuel surcharge.",
      },
      {
        question: "Invoice {invoice} is in USD, {po} in EUR. Which day's rate applies?",
        answer: "The rate of the delivery day, as in the frame contract.",
      },
    ],
  },
  {
    queue: "billing",
    weight: 9,
    workers: ["billing-reconciler", "payment-reminders"],
    askers: ["primary"],
    minutes: [2, 25],
    labels: { team: "finance", topic: "payments" },
    titles: [
      "Reconcile {bank} payments of {weekday}",
      "Explain the difference of {amount} in the card settlement",
      "Remind {company} of invoice {invoice} over {large}",
      "Find the order behind a transfer of {amount} without reference",
      "Prepare the payment run for {supplier}",
    ],
    briefs: [
      "The bank statement is imported. Tolerance {amount}.",
      "Second reminder; the tone is friendly still.",
    ],
    doing: ["{count} of {count2} payments matched", "Searching orders by amount and name"],
    results: [
      "{count} payments matched, {few} left for a person; the list is attached.",
      "The difference is a chargeback of order {order}.",
      "Reminder sent to {company}; they promised to pay by {weekday}.",
    ],
    failures: [
      {
        code: "statement_missing",
        message: "{bank} has not delivered the statement of {weekday}.",
        retryable: true,
      },
      {
        code: "address_bounced",
        message: "The mail to {company} bounced: no such mailbox.",
        retryable: false,
      },
    ],
    questions: [
      {
        question: "{company} paid {large} twice. Refund, or credit to their account?",
        answer: "Credit it, they order every month. I'll tell them.",
      },
      {
        question: "Third reminder for {company} would add a fee of {amount}. Send it?",
        answer: "Not yet. I'll call them on {weekday}.",
      },
    ],
  },
  {
    queue: "research",
    weight: 6,
    workers: ["market-research"],
    askers: ["catalogue-writer", "demand-forecast"],
    minutes: [6, 70],
    labels: { team: "commerce" },
    titles: [
      "Research suppliers of recycled fabric near {city}",
      "Compare the {product} with what {competitor} sells",
      "Collect rules on stove gas parcels to {country}",
      "Write a brief on the outdoor market in {country}",
      "Find out why {competitor} stopped selling in {city}",
    ],
    briefs: ["Two pages, sources linked, nothing older than a year. {weekday} morning is early enough."],
    doing: [
      "{few} of {days} sources read",
      "Checking figures against the national statistics",
      "Writing section {few}",
    ],
    results: [
      "Brief with {few} sources attached. {country} grows by {percent} a year.",
      "{few} suppliers found, two with the certificates we need.",
      "Comparison attached: we are {percent} dearer and 240 g lighter.",
    ],
    failures: [
      {
        code: "sources_insufficient",
        message: "Only one source on {city} could be confirmed.",
        retryable: false,
      },
      { code: "search_quota", message: "The search provider's daily quota is used up.", retryable: true },
    ],
    questions: [
      {
        question: "The study on {country} costs {amount}. Buy it?",
        answer: "Yes, and put it on the commerce card.",
      },
    ],
  },
  {
    queue: "catalogue",
    weight: 8,
    workers: ["catalogue-writer", "translator", "price-watch"],
    askers: ["primary"],
    minutes: [2, 28],
    labels: { team: "commerce", channel: "web" },
    titles: [
      "Write the product page of the {product}",
      "Translate the {product} page into {language}",
      "Propose a price for the {product} against {competitor}",
      "Rewrite {few} pages that mention the old warranty",
      "Check {count} {language} pages for the wrong unit",
    ],
    briefs: [
      "Data sheet {sku} attached. Keep the house's tone: plain, no superlatives.",
      "Glossary version {version}.",
    ],
    doing: ["Draft {few} of {days}", "Checking the glossary", "Comparing {count} offers"],
    results: [
      "Page published, {count} words, reading level B1.",
      "Translated into {language}; {few} new terms went into the glossary.",
      "Proposal: {amount}, which is {percent} below {competitor}.",
    ],
    failures: [
      {
        code: "data_sheet_incomplete",
        message: "Sheet {sku} has neither weight nor material.",
        retryable: false,
      },
      { code: "image_service_unavailable", message: "The image service does not answer.", retryable: true },
    ],
    questions: [
      {
        question: "The sheet says 1.9 kg, the old page 2.1 kg for the {product}. Which is right?",
        answer: "1.9 kg, that's the new pole set.",
      },
    ],
  },
  {
    queue: "forecasts",
    weight: 4,
    workers: ["demand-forecast"],
    askers: ["primary"],
    minutes: [4, 40],
    labels: { team: "operations" },
    titles: [
      "Forecast sales of the {product} in {country} for six weeks",
      "Propose an order with {supplier} for {sku}",
      "Explain why the {product} sold {percent} less than forecast",
    ],
    briefs: ["Campaign starts on {weekday}. Use the weather model too.", "Minimum order is {units} pieces."],
    doing: ["Fitting {few} models", "Backtest over 26 weeks"],
    results: [
      "Expect {units} ± {few} pieces; order proposal {po} is waiting for approval.",
      "The gap is one large customer: without {company} the error is {percent}.",
    ],
    failures: [
      { code: "history_too_short", message: "{sku} has been sold for {few} weeks only.", retryable: false },
    ],
    questions: [
      {
        question: "{supplier} sells {sku} in lots of {count} only. Round up?",
        answer: "Round up, it doesn't spoil.",
      },
    ],
  },
];

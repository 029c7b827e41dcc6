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
    jobs: [
      {
        title: "Book invoice {invoice} from {supplier}",
        brief: "Total {large}, due in {days} days. The order is {po}.",
        result: "Booked {large} against {po}; every line matches.",
      },
      {
        title: "Match {supplier}'s invoice {invoice} with {po}",
        brief: "They delivered in two parts.",
        result: "Matched both deliveries; {amount} of freight is within tolerance.",
      },
      {
        title: "Read the {few} invoices in {supplier}'s mail of {weekday}",
        brief: "The scans are in the attachments.",
        result: "{few} invoices read and booked, {large} in all.",
      },
      {
        title: "Check the VAT on invoice {invoice}",
        brief: "{supplier} moved its seat to {city}.",
        result: "Reverse charge applies; the tax line is corrected.",
      },
      {
        title: "Is invoice {invoice} a duplicate?",
        brief: "Same amount of {large} as one of last month.",
        result: "It is: booked as {po} already. Set aside and {supplier} told.",
      },
    ],
    doing: ["Page {progress}", "Comparing {few} lines with {po}"],
    failures: [
      { code: "unreadable_scan", message: "Page 2 of {invoice} is cut off at the totals.", retryable: false },
      { code: "no_purchase_order", message: "{invoice} names {po}, which was cancelled.", retryable: false },
      { code: "ledger_unavailable", message: "The ledger is closed for the nightly run.", retryable: true },
    ],
    questions: [
      {
        question: "{supplier} charges {small} more freight than {po} says. Book it or dispute it?",
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
    jobs: [
      {
        title: "Reconcile {bank} payments of {weekday}",
        brief: "The bank statement is imported. Tolerance {small}.",
        result: "{count} payments matched, {few} left for a person; the list is attached.",
      },
      {
        title: "Explain the difference of {amount} in the card settlement",
        brief: "The settlement of {weekday} is short by it.",
        result: "It is the chargeback of order {order}.",
      },
      {
        title: "Remind {company} of invoice {invoice} over {large}",
        brief: "Second reminder; the tone is friendly still.",
        result: "Reminder sent; they promised to pay by {weekday}.",
      },
      {
        title: "Find the order behind a transfer of {amount} without reference",
        brief: "Came from {bank} on {weekday}, sender {customer}.",
        result: "It pays order {order}, with {small} too much; the rest is credited.",
      },
      {
        title: "Prepare the payment run for {supplier}",
        brief: "{few} invoices are due by {weekday}.",
        result: "{few} invoices, {large} in all; waiting for two signatures.",
      },
    ],
    doing: ["{progress} entries checked", "Searching orders by amount and name"],
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
        question: "Third reminder for {company} would add a fee of {small}. Send it?",
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
    jobs: [
      {
        title: "Research suppliers of recycled fabric near {city}",
        brief: "Two pages, sources linked, nothing older than a year.",
        result: "{few} suppliers found near {city}, two with the certificates we need.",
      },
      {
        title: "Compare the {product} with what {competitor} sells",
        brief: "Weight, price, warranty. {weekday} morning is early enough.",
        result: "Comparison attached: we are {percent} dearer and 240 g lighter.",
      },
      {
        title: "Collect the rules on stove gas parcels to {country}",
        brief: "{carrier} returned {few} parcels.",
        result: "Ground transport only, with label LQ. {carrier}'s form is attached.",
      },
      {
        title: "Write a brief on the outdoor market in {country}",
        brief: "For the meeting of {weekday}. One chart is enough.",
        result: "Brief with {few} sources attached; {country} grows by {percent} a year.",
      },
      {
        title: "Find out why {competitor} stopped selling in {city}",
        brief: "The shop there closed last month.",
        result: "Its landlord raised the rent by {percent}; they go on online. {few} sources.",
      },
    ],
    doing: [
      "{progress} sources read",
      "Checking figures against the national statistics",
      "Writing section {few}",
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
    jobs: [
      {
        title: "Write the product page of the {product}",
        brief: "Data sheet {sku} attached. Keep the house's tone: plain, no superlatives.",
        result: "Page published, {count} words, reading level B1.",
      },
      {
        title: "Translate the {product} page into {language}",
        brief: "Glossary version {version}.",
        result: "Translated into {language}; {few} new terms went into the glossary.",
      },
      {
        title: "Propose a price for the {product} against {competitor}",
        brief: "They are at {amount} since {weekday}.",
        result: "Proposal attached: {percent} below the list price until the end of the month.",
      },
      {
        title: "Rewrite {few} pages that mention the old warranty",
        brief: "It is two years now, three on tents.",
        result: "{few} pages rewritten and published.",
      },
      {
        title: "Check {count} {language} pages for the wrong unit",
        brief: "Litres appear as millilitres since the import.",
        result: "{few} pages were wrong and are corrected.",
      },
    ],
    doing: ["Paragraph {progress}", "Checking the glossary", "Comparing {count} offers"],
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
    jobs: [
      {
        title: "Forecast sales of the {product} in {country} for six weeks",
        brief: "Campaign starts on {weekday}. Use the weather model too.",
        result: "Expect {units} ± {few} pieces; the curve is attached.",
      },
      {
        title: "Propose an order with {supplier} for {sku}",
        brief: "Minimum order is {units} pieces.",
        result: "Order proposal {po} over {large} is waiting for approval.",
      },
      {
        title: "Explain why the {product} sold {percent} less than forecast",
        brief: "Weeks 36 to 40, {country} only.",
        result: "One large customer is missing: without {company} the error is within tolerance.",
      },
    ],
    doing: ["Fitting {few} models", "Backtest over 26 weeks"],
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

import type { JobProfile } from "./job-profile.ts";

/** Jobs for finance and commerce. */
export const BUSINESS_JOB_PROFILES: readonly JobProfile[] = [
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
        question: {
          question: "{supplier} charges {small} more freight than {po} says. Book it or dispute it?",
          answer: "Book it. They told us about the fuel surcharge.",
        },
      },
      {
        title: "Match {supplier}'s invoice {invoice} with {po}",
        brief: "They delivered in two parts.",
        result: "Matched both deliveries; {amount} of freight is within tolerance.",
        question: {
          question: "Invoice {invoice} is in USD, {po} in EUR. Which day's rate applies?",
          answer: "The rate of the delivery day, as in the frame contract.",
        },
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
        question: {
          question: "{supplier} has not given its new VAT number. Book {invoice} without it?",
          answer: "No, ask them for it first.",
        },
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
        question: {
          question: "Two chargebacks of {weekday} could explain {amount}. Ask the card company?",
          answer: "Yes, they answer within a day.",
        },
      },
      {
        title: "Remind {company} of invoice {invoice} over {large}",
        brief: "Second reminder; the tone is friendly still.",
        result: "Reminder sent; they promised to pay by {weekday}.",
        question: {
          question: "{company} paid twice last month. Set that off against {invoice} instead?",
          answer: "Yes, and tell them. I'll sign it off.",
        },
      },
      {
        title: "Find the order behind a transfer of {amount} without reference",
        brief: "Came from {bank} on {weekday}, sender {customer}.",
        result: "It pays order {order}, with {small} too much; the rest is credited.",
        question: {
          question: "Two orders of {customer} come to {amount}. Which one is paid?",
          answer: "The older one.",
        },
      },
      {
        title: "Prepare the payment run for {supplier}",
        brief: "{few} invoices are due by {weekday}.",
        result: "{few} invoices, {large} in all; waiting for two signatures.",
        question: {
          question: "One of {supplier}'s invoices is disputed. Leave it out of the run?",
          answer: "Leave it out until {weekday}.",
        },
      },
    ],
    doing: ["{progress} entries checked", "Searching orders by amount and name"],
    failures: [
      { code: "ledger_unavailable", message: "The ledger is closed for the nightly run.", retryable: true },
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
        question: {
          question: "The nearest with a certificate is 80 km from {city}. Still near enough?",
          answer: "Up to 100 km is fine.",
        },
      },
      {
        title: "Compare the {product} with what {competitor} sells",
        brief: "Weight, price, warranty. {weekday} morning is early enough.",
        result: "Comparison attached: we are {percent} dearer and 240 g lighter.",
        question: {
          question: "{competitor} changes its prices on {weekday}. Wait for them?",
          answer: "No, compare today's.",
        },
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
        question: {
          question: "The best study on {country} costs {amount}. Buy it?",
          answer: "Yes, and put it on the commerce card.",
        },
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
        question: {
          question: "The sheet says 1.9 kg, the old page 2.1 kg for the {product}. Which is right?",
          answer: "1.9 kg, that's the newer one.",
        },
      },
      {
        title: "Translate the {product} page into {language}",
        brief: "Glossary version {version}.",
        result: "Translated into {language}; {few} new terms went into the glossary.",
        question: {
          question: "Is the name of the {product} translated into {language} or kept?",
          answer: "Kept everywhere.",
        },
      },
      {
        title: "Propose a price for the {product} against {competitor}",
        brief: "They are at {amount} since {weekday}.",
        result: "Proposal attached: {percent} below the list price until the end of the month.",
        question: {
          question: "Following {competitor} takes the margin below 20 %. Propose it all the same?",
          answer: "No, stay at 20 %.",
        },
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
        question: {
          question: "Last year's campaign in {country} was stopped early. Leave it out?",
          answer: "Leave it out, and say so.",
        },
      },
      {
        title: "Propose an order with {supplier} for {sku}",
        brief: "Minimum order is {units} pieces.",
        result: "Order proposal {po} over {large} is waiting for approval.",
        question: {
          question: "{supplier} sells {sku} in lots of {count} only. Round up?",
          answer: "Round up, it doesn't spoil.",
        },
      },
      {
        title: "Explain why the {product} sold {percent} less than forecast",
        brief: "Weeks 36 to 40, {country} only.",
        result: "One large customer is missing: without {company} the error is within tolerance.",
      },
    ],
    doing: ["Fitting {few} models", "Backtest over 26 weeks"],
    failures: [
      { code: "model_timeout", message: "The model was not done in time.", retryable: true },
      { code: "history_too_short", message: "{sku} has been sold for {few} weeks only.", retryable: false },
    ],
  },
];

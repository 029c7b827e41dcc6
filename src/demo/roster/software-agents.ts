export type SoftwareAgent = {
  handle: string;
  name: string;
  version: string;
  team: "customers" | "finance" | "commerce" | "engineering" | "operations";
  description: string;
  /** The kinds of command that it supports, in addition to those of every agent. */
  commands: readonly string[];
};

export const SOFTWARE_AGENTS: readonly SoftwareAgent[] = [
  {
    handle: "support-triage",
    name: "Support Triage",
    version: "3.8.1",
    team: "customers",
    description: "Reads every new ticket, tags it, and gives it to whoever can solve it.",
    commands: ["custom.reload_routing_rules"],
  },
  {
    handle: "support-replies",
    name: "Support Replies",
    version: "5.2.0",
    team: "customers",
    description: "Drafts and sends answers to customers about orders, deliveries and products.",
    commands: ["custom.reindex_knowledge_base"],
  },
  {
    handle: "returns-desk",
    name: "Returns Desk",
    version: "2.4.3",
    team: "customers",
    description: "Decides on returns within the policy, makes labels and asks for refunds.",
    commands: ["custom.reload_return_policy"],
  },
  {
    handle: "review-responder",
    name: "Review Responder",
    version: "1.9.0",
    team: "customers",
    description: "Answers product reviews and reports what they complain about.",
    commands: ["custom.reindex_knowledge_base"],
  },
  {
    handle: "invoice-reader",
    name: "Invoice Reader",
    version: "4.1.2",
    team: "finance",
    description: "Takes suppliers' invoices apart and books them against purchase orders.",
    commands: ["custom.reload_supplier_templates"],
  },
  {
    handle: "billing-reconciler",
    name: "Billing Reconciler",
    version: "3.0.7",
    team: "finance",
    description: "Matches payments with orders and explains every difference.",
    commands: ["custom.import_bank_statement"],
  },
  {
    handle: "payment-reminders",
    name: "Payment Reminders",
    version: "1.6.4",
    team: "finance",
    description: "Reminds business customers of what they owe, politely and in order.",
    commands: ["custom.reload_letter_templates"],
  },
  {
    handle: "market-research",
    name: "Market Research",
    version: "2.2.0",
    team: "commerce",
    description: "Researches products, regions and suppliers, and writes it up with sources.",
    commands: ["custom.clear_source_cache"],
  },
  {
    handle: "price-watch",
    name: "Price Watch",
    version: "6.0.1",
    team: "commerce",
    description: "Follows competitors' prices and proposes ours.",
    commands: ["custom.refresh_price_list"],
  },
  {
    handle: "catalogue-writer",
    name: "Catalogue Writer",
    version: "2.7.5",
    team: "commerce",
    description: "Writes product pages from data sheets, in the house's tone.",
    commands: ["custom.reload_style_guide"],
  },
  {
    handle: "translator",
    name: "Translator",
    version: "3.3.0",
    team: "commerce",
    description: "Translates product pages and letters, and keeps the glossary.",
    commands: ["custom.reload_glossary"],
  },
  {
    handle: "demand-forecast",
    name: "Demand Forecast",
    version: "1.14.0",
    team: "operations",
    description: "Forecasts what sells where, and proposes orders and transfers.",
    commands: ["custom.retrain_model"],
  },
  {
    handle: "code-review",
    name: "Code Review",
    version: "4.5.0",
    team: "engineering",
    description: "Reviews pull requests for mistakes, tests and style.",
    commands: ["custom.reload_review_rules"],
  },
  {
    handle: "dependency-updates",
    name: "Dependency Updates",
    version: "2.0.9",
    team: "engineering",
    description: "Brings libraries up to date, one tested pull request at a time.",
    commands: ["custom.refresh_advisories"],
  },
  {
    handle: "incident-analyst",
    name: "Incident Analyst",
    version: "1.3.2",
    team: "engineering",
    description: "Looks into alerts, collects the evidence and proposes what to do.",
    commands: ["custom.reload_runbooks"],
  },
  {
    handle: "fleet-dispatcher",
    name: "Fleet Dispatcher",
    version: "5.1.4",
    team: "operations",
    description: "Turns orders and stock moves into missions, and gives them to robots.",
    commands: ["custom.rebuild_traffic_map"],
  },
];

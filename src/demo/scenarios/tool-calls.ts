import type { Random } from "../random.ts";

/** A call of a tool that an agent of the demo asks the gateway about. */
export type ToolCall = {
  tool: string;
  arguments: Record<string, unknown>;
  /** What it moves, in dollars; null for nothing. */
  usd: number | null;
  /** Whether people are asked about such calls. */
  isAsked: boolean;
};

type Plan = (random: Random) => ToolCall;

const LARGE_REFUND = 500;

/** Products of the shop. */
const SKUS = ["TN-210", "SB-114", "ST-031", "BP-055"];

/** What the agents call, by handle. Those of `shop` are real, through the proxy. */
const PLANS: ReadonlyMap<string, readonly Plan[]> = new Map(
  Object.entries({
    "support-triage": [
      read("zendesk.list_tickets", () => ({ status: "new" })),
      read("zendesk.read_ticket", (random) => ({ ticket: random.whole(48_000, 52_000) })),
    ],
    "support-replies": [
      read("shop.get_order", (random) => ({ order_id: random.pick(["NL-48213", "NL-48187", "NL-48160"]) })),
      read("orders.search", (random) => ({ customer: `C-${random.whole(1000, 9999)}` })),
      read("mail.send_reply", (random) => ({ ticket: random.whole(48_000, 52_000), template: "delivery" })),
    ],
    "returns-desk": [refund(20, 180), refund(60, 490), refund(LARGE_REFUND + 20, 1400)],
    "invoice-reader": [read("ledger.get_purchase_order", (random) => ({ order: random.whole(7000, 7999) }))],
    "billing-reconciler": [read("bank.list_payments", () => ({ since: "yesterday" }))],
    "payment-reminders": [
      read("ledger.list_open_invoices", () => ({ overdue_days: 14 })),
      ask("bank.pay_invoice", (random) => ({ invoice: random.whole(900, 999), currency: "EUR" })),
    ],
    "market-research": [
      read("web.search", (random) => ({ query: random.pick(["rain jackets", "camping stoves", "wool"]) })),
      read("web.post_comment", () => ({ page: "forum/outdoor", text: "Which tent lasts?" })),
    ],
    "price-watch": [
      read("shop.get_price", (random) => ({ sku: random.pick(SKUS) })),
      read("shop.set_price", (random) => ({ sku: random.pick(SKUS), price_sek: random.whole(400, 3500) })),
    ],
    "catalogue-writer": [
      read("shop.search_products", (random) => ({ text: random.pick(["tent", "jacket", "stove"]) })),
      ask("shop.delete_review", (random) => ({
        sku: random.pick(SKUS),
        review: random.whole(100, 999),
        reason: "spam",
      })),
    ],
    "code-review": [
      read("github.get_diff", (random) => ({ pull_request: random.whole(2100, 2190) })),
      ask("github.delete_branch", (random) => ({ branch: `review/${random.whole(2100, 2190)}` })),
    ],
    "dependency-updates": [
      read("github.list_advisories", () => ({ severity: "high" })),
      ask("github.deploy", (random) => ({ service: "checkout", version: `4.${random.whole(20, 40)}.0` })),
    ],
    "demand-forecast": [read("warehouse.list_stock", () => ({ site: "Gothenburg" }))],
  }),
);

function plan(tool: string, isAsked: boolean, build: (random: Random) => Record<string, unknown>): Plan {
  return (random) => ({ tool, arguments: build(random), usd: null, isAsked });
}

function read(tool: string, build: (random: Random) => Record<string, unknown>): Plan {
  return plan(tool, false, build);
}

function ask(tool: string, build: (random: Random) => Record<string, unknown>): Plan {
  return plan(tool, true, build);
}

/** A refund of so many dollars. */
function refund(least: number, most: number): Plan {
  return (random) => {
    const usd = Math.round(random.between(least, most) * 100) / 100;
    const order = random.whole(60_000, 69_999);
    return {
      tool: "stripe.refund",
      usd,
      isAsked: usd > LARGE_REFUND,
      arguments: {
        order,
        amount: usd,
        currency: "USD",
        reason: random.pick(["damaged", "late", "wrong size"]),
      },
    };
  };
}

/** What an agent calls next, or null if it calls no tools. */
export function pickToolCall(handle: string, random: Random): ToolCall | null {
  const plans = PLANS.get(handle);
  return plans === undefined ? null : random.pick(plans)(random);
}

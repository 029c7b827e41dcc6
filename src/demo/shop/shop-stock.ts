export type ShopOrder = { order_id: string; items: readonly string[]; total_sek: number; status: string };

const PRODUCTS = [
  { sku: "TN-210", name: "Fjord two-person tent", price_sek: 3490, in_stock: 41 },
  { sku: "SB-114", name: "Drift down sleeping bag", price_sek: 2890, in_stock: 17 },
  { sku: "ST-031", name: "Ember gas stove", price_sek: 649, in_stock: 208 },
  { sku: "BP-055", name: "Ridge 55 litre backpack", price_sek: 1990, in_stock: 63 },
  { sku: "JK-402", name: "Squall rain jacket", price_sek: 1790, in_stock: 0 },
  { sku: "HL-009", name: "Beam head lamp", price_sek: 399, in_stock: 512 },
] as const;

const ORDERS: readonly ShopOrder[] = [
  { order_id: "NL-48213", items: ["TN-210", "SB-114"], total_sek: 6380, status: "delivered" },
  { order_id: "NL-48187", items: ["ST-031"], total_sek: 649, status: "returned" },
  { order_id: "NL-48160", items: ["BP-055", "HL-009"], total_sek: 2389, status: "sent" },
  { order_id: "NL-48255", items: ["JK-402"], total_sek: 1790, status: "waiting for stock" },
];

/** The products whose names have all words of a text. */
export function findProducts(text: string): (typeof PRODUCTS)[number][] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  return PRODUCTS.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

export function findProduct(sku: unknown): (typeof PRODUCTS)[number] | null {
  return PRODUCTS.find(({ sku: own }) => own === sku) ?? null;
}

export function findOrder(id: unknown): ShopOrder | null {
  return ORDERS.find(({ order_id: own }) => own === id) ?? null;
}

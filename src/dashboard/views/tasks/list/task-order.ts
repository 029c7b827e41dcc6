const ORDERS = {
  created: "CREATED_DESC",
  "-created": "CREATED_ASC",
  updated: "UPDATED_DESC",
  "-updated": "UPDATED_ASC",
} as const;

/** An order of tasks. */
export type TaskOrder = {
  orderBy: (typeof ORDERS)[keyof typeof ORDERS];
  by: string;
  /** The oldest first. */
  isAscending: boolean;
};

/** The order that an address names; the newest first where it names none that there is. */
export function taskOrderOf(sort: string): TaskOrder {
  const name = isOrder(sort) ? sort : "created";
  const isAscending = name.startsWith("-");
  return { orderBy: ORDERS[name], by: isAscending ? name.slice(1) : name, isAscending };
}

function isOrder(sort: string): sort is keyof typeof ORDERS {
  return Object.hasOwn(ORDERS, sort);
}

export { chargeBatch } from "./charge-batch.ts";
export { createBudgetGuards, listUnreadableBudgets } from "./guard.ts";
export { mergeBudgets } from "./merge-people.ts";
export { create, remove } from "./service.ts";
export { budgetStatuses } from "./status.ts";

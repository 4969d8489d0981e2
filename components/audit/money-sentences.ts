/** The sentences about connections to models, prices and budgets. */
import { sentences } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";

export const MONEY_SENTENCES = sentences({
  model_connection_saved: { label: "connection", says: (e) => `saved the model connection ${e.name}` },
  model_connection_removed: { label: "connection removed", says: (e) => `removed the model connection ${e.name}` },
  call_corrected: {
    label: "cost corrected",
    says: (e) => `corrected a call from ${e.from === null ? "unpriced" : `$${e.from}`} to $${e.to}: ${e.reason}`,
  },
  prices_saved: {
    label: "price list",
    says: (e) => `saved version ${e.list} of the price list, ${plural(e.prices, "price")}`,
  },
  estimation_begun: { label: "estimates", says: (e) => `had unpriced calls estimated with version ${e.list}` },
  statement_closed: { label: "month closed", says: (e) => `closed the statement of ${e.month}` },
  judge_cap_set: { label: "cap set", says: (e) => `set the daily cap of ${e.hook} in ${e.policy}` },
  budget_saved: { label: "budget saved", says: (e) => `saved the budget ${e.name}` },
  budget_removed: { label: "budget removed", says: (e) => `removed the budget ${e.name}` },
  budget_reservation_released: {
    label: "reservation released",
    says: (e) => `released a reservation in the budget ${e.name}`,
  },
  budget_reservations_released: {
    label: "reservations released",
    says: (e) => `released ${plural(e.count, "lapsed reservation")} in the budget ${e.name}`,
  },
});

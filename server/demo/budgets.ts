/** The demo's budgets: one that its agent outgrows, which warns, and a hard one with room in it. */
import type { CreateBudget } from "../budgets/schema.ts";

const dollars = (whole: number) => BigInt(whole) * 1_000_000_000n;
const THRESHOLDS = [50, 80, 100];

export const DEMO_BUDGETS: readonly (Omit<CreateBudget, "about"> & { readonly agent: string })[] = [
  {
    name: "Demo - bug fixing",
    agent: "demo-bugfix",
    period: "month",
    amountNano: dollars(16),
    reserveNano: null,
    thresholds: THRESHOLDS,
    isHard: false,
    unpriced: "pass",
  },
  {
    name: "Demo - releases",
    agent: "demo-release",
    period: "month",
    amountNano: dollars(2),
    reserveNano: dollars(1) / 10n,
    thresholds: THRESHOLDS,
    isHard: true,
    unpriced: "count",
  },
];

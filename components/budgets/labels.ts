/** Budgets in words. */
import { formatCount, plural } from "@/components/ui/format/count";
import { shortMoney } from "@/components/ui/format/nano";
import type { Tone } from "@/components/ui/tone";
import type { BindingView, BudgetState, BudgetView, Period, Scope, Unpriced } from "@/server/budgets/schema";

export const STATES = {
  open: { tone: "allow", word: "within budget", says: "Below all thresholds." },
  warned: { tone: "ask", word: "warned", says: "Past a threshold." },
  closed: {
    tone: "deny",
    word: "closed",
    says: "Too little of the budget is left for another call. budget_guard refuses new calls.",
  },
  over: { tone: "error", word: "over budget", says: "The spend exceeds the budget." },
} as const satisfies Record<BudgetState, { tone: Tone; word: string; says: string }>;

/** A hard budget without room whose agents all lack the guard. */
export const UNGUARDED = {
  tone: "error",
  word: "used up, blocks no agent",
  says: "Too little of the budget is left for another call, but no agent runs budget_guard. So calls are not refused.",
} as const;

export const bindsNobody = ({ bound }: BindingView): boolean => bound.count === 0;

/** Whom a hard budget refuses, and whom it only counts, in sentences. */
export function bindingWords({ bound, unbound, unasked }: BindingView): string {
  if (bound.count + unbound.count + unasked.count === 0)
    return "The target has no agent now, so the budget blocks no call.";
  const counted = (agents: BindingView["bound"], reason: string) =>
    agents.count === 0 ? [] : [`The budget counts but does not block ${agentNames(agents)}, ${reason}.`];
  const lacking =
    bound.count === 0 && unbound.count > 0
      ? [`The budget blocks no agent: ${agentNames(unbound)} ${unbound.count === 1 ? "has" : "have"} no budget_guard.`]
      : [
          bound.count === 0 ? "The budget blocks no agent." : `The budget blocks ${agentNames(bound)}.`,
          ...counted(unbound, "without budget_guard"),
        ];
  const whose = unasked.count === 1 ? "whose client asks" : "whose clients ask";
  return [...lacking, ...counted(unasked, `${whose} nothing before a model call`)].join(" ");
}

/** The first three names, and the number of the others. */
export function agentNames({ count, names }: BindingView["bound"]): string {
  const first = names.slice(0, 3);
  const others = count - first.length;
  return others > 0 ? `${first.join(", ")} and ${plural(others, "other")}` : first.join(", ");
}

export const SCOPE_WORDS: Record<Scope, string> = {
  workspace: "the whole workspace",
  group: "a group of agents",
  agent: "one agent",
  person: "one person or service",
  sign_on_group: "a group of the sign-on provider",
  model: "one model",
  session: "each session",
};

export const PERIOD_WORDS: Record<Period, string> = {
  day: "a day",
  month: "a month",
  total: "in total",
};

/** `says` takes the amount that an unpriced call adds. */
export const UNPRICED_WORDS: Record<Unpriced, { label: string; says: (amount: string) => string }> = {
  count: {
    label: "Count each at the maximum cost of one call",
    says: (amount) => `From now on, each unpriced call counts as ${amount}. Earlier unpriced calls do not count.`,
  },
  deny: {
    label: "Refuse unpriced models",
    says: (amount) =>
      `The budget refuses calls to a model whose latest call had no known price. From now on, each unpriced call counts as ${amount}.`,
  },
  pass: { label: "Allow, add nothing", says: () => "Unpriced calls are allowed and add nothing to spend." },
};

/** The rule for unpriced calls, with the amount that each adds, in nano-dollars; null before it is entered. */
export const unpricedWords = (rule: Unpriced, reserveNano: bigint | null): string =>
  UNPRICED_WORDS[rule].says(reserveNano === null ? "the maximum cost of one call" : shortMoney(reserveNano));

/** Whose money, as the end of "for ...". */
export function aboutWords({ scope, target, targetName }: Pick<BudgetView, "scope" | "target" | "targetName">): string {
  if (scope === "workspace" || scope === "session") return SCOPE_WORDS[scope];
  if (scope === "person") return targetName ?? "a person who is not known";
  const noun = {
    group: "the group",
    agent: "the agent",
    sign_on_group: "the sign-on group",
    model: "the model",
  }[scope];
  return targetName === null ? `${noun} that was removed` : `${noun} ${targetName || target}`;
}

/** The number of agents of a person, or of the members of a sign-on group; null for other budgets. */
export function agentsWords({ scope, agents }: Pick<BudgetView, "scope" | "agents">): string | null {
  if (agents === null) return null;
  const whose = scope === "person" ? "them" : "its members";
  return `${agents === 1 ? "1 agent works" : `${formatCount(agents)} agents work`} for ${whose} now.`;
}

export const UNKNOWN_NOT_COUNTED = "Calls of an unknown person do not count.";

/** The calls that count in a budget of a person or of a group of the sign-on provider; null for the others. */
export function peopleWords(budget: Pick<BudgetView, "scope" | "agents">): string | null {
  if (budget.agents === null) return null;
  const whose = budget.scope === "person" ? "this person" : "a member of this group";
  return `Calls that were made for ${whose}. ${agentsWords(budget)} ${UNKNOWN_NOT_COUNTED}`;
}

/** Spent, unpriced ones included, and held: what counts against the amount. */
export function amountUsedNano({ account }: Pick<BudgetView, "account">): bigint {
  return account.spentNano + account.assumedNano + account.heldNano;
}

/** The share of its calls that the sum speaks for. */
export function coverageWords({ account }: Pick<BudgetView, "account">): string {
  const { priced, free, unpriced } = account;
  const calls = priced + free + unpriced;
  if (calls === 0) return "no call yet";
  return `${formatCount(unpriced)} of ${plural(calls, "call")} unpriced`;
}

/** Whole percent of an amount, rounded down. */
export const percentOf = (nano: bigint, amountNano: bigint): number => Number((nano * 100n) / amountNano);

export function forecastWords({ forecast, amountNano }: Pick<BudgetView, "forecast" | "amountNano">): string {
  if (forecast.kind === "none") return forecast.says;
  return `Forecast: about ${shortMoney(forecast.nano)} spent at the end of the period (${percentOf(forecast.nano, amountNano)} % of the budget), if the pace of ${plural(forecast.calls, "call")} so far continues. Linear forecast.`;
}

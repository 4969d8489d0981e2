import type { ComponentType } from "react";
import { OverviewCoverage } from "@/components/coverage/overview-coverage";
import { AgentChangesCard } from "@/components/overview/cards/agent-changes";
import { AgentsSeen } from "@/components/overview/cards/agents-seen";
import { FinalDecisions, RuleResults } from "@/components/overview/cards/call-decisions";
import type { CardProps } from "@/components/overview/cards/card-props";
import { MostDenied, NewestDenials } from "@/components/overview/cards/denials";
import { HomeFigures } from "@/components/overview/cards/home-figures";
import { MoreFigures } from "@/components/overview/cards/more-figures";
import { OutcomeChart } from "@/components/overview/cards/outcome-chart";
import { cn } from "@/components/ui/cn";
import type { HomeCard } from "@/server/overview/home-cards/schema";

interface CardSpec {
  readonly title: string;
  readonly about: string;
  /** It shares a row with another narrow card. */
  readonly isNarrow: boolean;
  readonly Card: ComponentType<CardProps>;
}

export const HOME_CARD_SPECS: Readonly<Record<HomeCard, CardSpec>> = {
  figures: {
    title: "Figures",
    about: "Counts of denied calls and of calls on which no rule ran, and today's spend",
    isNarrow: false,
    Card: HomeFigures,
  },
  outcomes: {
    title: "Tool calls by outcome",
    about: "The calls of all clients over time, by outcome",
    isNarrow: false,
    Card: OutcomeChart,
  },
  denials: {
    title: "Newest denials",
    about: "The latest denied calls with their reason",
    isNarrow: true,
    Card: NewestDenials,
  },
  agent_changes: {
    title: "Agents that changed",
    about: "Agents that are new, are silent, have an older revision or use a new tool",
    isNarrow: true,
    Card: AgentChangesCard,
  },
  more_figures: {
    title: "More figures",
    about: "Counts of events, hook failures and compactions, and the spend",
    isNarrow: false,
    Card: MoreFigures,
  },
  rule_results: {
    title: "How rules answered",
    about: "Shares of calls that rules allowed, denied and sent to a person",
    isNarrow: true,
    Card: RuleResults,
  },
  final_decisions: {
    title: "Agents' final decisions",
    about: "Decisions reported by agents, by approval source",
    isNarrow: true,
    Card: FinalDecisions,
  },
  most_denied: {
    title: "Most denied",
    about: "Denied calls by tool and by agent",
    isNarrow: true,
    Card: MostDenied,
  },
  agents: {
    title: "Agents",
    about: "Most recently active agents and their policy revision",
    isNarrow: true,
    Card: AgentsSeen,
  },
  coverage: {
    title: "Event coverage",
    about: "Share of the expected events that were received",
    isNarrow: false,
    Card: OverviewCoverage,
  },
};

const isNarrow = (card: HomeCard | undefined): boolean => card !== undefined && HOME_CARD_SPECS[card].isNarrow;

/** True for each card that takes a whole row: a wide one, and a narrow one without a neighbour. */
export function wholeRows(cards: readonly HomeCard[]): readonly boolean[] {
  const whole = cards.map(() => true);
  for (let at = 0; at + 1 < cards.length; at += 1) {
    if (!isNarrow(cards[at]) || !isNarrow(cards[at + 1])) continue;
    whole[at] = false;
    whole[at + 1] = false;
    at += 1;
  }
  return whole;
}

/** The chosen cards in their order. */
export function HomeCards({ cards, ...props }: CardProps & { cards: readonly HomeCard[] }) {
  const whole = wholeRows(cards);
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {cards.map((card, at) => {
        const { Card } = HOME_CARD_SPECS[card];
        return (
          <div key={card} data-card={card} className={cn("min-w-0", whole[at] && "lg:col-span-2")}>
            <Card {...props} />
          </div>
        );
      })}
    </div>
  );
}

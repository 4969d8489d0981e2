"use client";

import { Gavel } from "lucide-react";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";

/** The progress of an unfinished search. */
export interface Searched {
  readonly rows: number;
  readonly until: Date;
}

interface NoMatchProps {
  searched: Searched;
  isSearching: boolean;
  onSearch: () => void;
}

export function NoMatch({ searched, isSearching, onSearch }: NoMatchProps) {
  return (
    <EmptyState
      icon={Gavel}
      title={`No call matches in the newest ${formatCount(searched.rows)} decisions`}
      action={
        <Button busy={isSearching} onClick={onSearch}>
          Search further back
        </Button>
      }
    >
      The search reached <RelativeTime at={searched.until} look="clock" />. A tool, an agent or a session makes it
      faster.
    </EmptyState>
  );
}

interface NoFirstPageProps {
  isLoading: boolean;
  onLoad: () => void;
}

/** Every decision that was read is a later one of an older call: an agent uses the ids of its calls again. */
export function NoFirstPage({ isLoading, onLoad }: NoFirstPageProps) {
  return (
    <EmptyState
      icon={Gavel}
      title="The newest decisions belong to older calls"
      action={
        <Button busy={isLoading} onClick={onLoad}>
          Load older calls
        </Button>
      }
    >
      An agent uses the id of one call for many. A call is listed at its first decision.
    </EmptyState>
  );
}

export function NoCallsThen() {
  return (
    <EmptyState icon={Gavel} title="No calls before the chosen time">
      Choose another time, or resume live updates.
    </EmptyState>
  );
}

export function NoCalls({ range }: { range: TimeRangeControl }) {
  return (
    <EmptyState
      icon={Gavel}
      title={`No calls in ${range.isLive ? `the ${range.label.toLowerCase()}` : range.label}`}
      command={
        'curl -sS "$QUARTERDECK_URL/api/v1/hooks/pre_tool_use" -H "Authorization: Bearer $QUARTERDECK_KEY" -H \'Content-Type: application/json\' -d \'{"session_id":"s1","tool_name":"shell","tool_input":{"cmd":"rm -rf /"}}\''
      }
    >
      A call appears on this page when an agent asks for a decision or reports its own decision.
    </EmptyState>
  );
}

import { ExactTime, RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { type AgentReach, type ExecutorState, POLICY_DAYS_MAX } from "@/server/halts/schema";

const MARKS: Readonly<Record<ExecutorState, { readonly tone: Tone; readonly label: string }>> = {
  not_reachable: { tone: "ask", label: "Not reachable" },
  heard: { tone: "observe", label: "Heard since" },
  followed: { tone: "allow", label: "Followed" },
  expired: { tone: "canceled", label: "Policy expired" },
};

/** The state of a halt at the local executors of one agent, in words. */
export function AgentReachLine({ reach }: { reach: AgentReach }) {
  const { executors, inState, state } = reach;
  return (
    <>
      <Mark {...MARKS[state]} /> {executors > 1 ? `${inState} of ${executors} local executors: ` : null}
      <StateText reach={reach} />
    </>
  );
}

function StateText({ reach }: { reach: AgentReach }) {
  const { state, heardAt, until, statesAge, followedAt } = reach;
  switch (state) {
    case "not_reachable":
      return (
        <>
          not heard since the halt, last heard <RelativeTime at={heardAt} />. By the last policy it has, it may go on
          until <ExactTime at={until ?? heardAt} /> at the latest
          {statesAge ? "." : `: it does not say for how long, and ${POLICY_DAYS_MAX} days is the most.`}
        </>
      );
    case "heard":
      return (
        <>
          heard <RelativeTime at={heardAt} />, after the halt. That the halt denied a gate of it is not known.
        </>
      );
    case "followed":
      return (
        <>
          a gate of it was denied <RelativeTime at={followedAt ?? heardAt} />.
        </>
      );
    case "expired":
      return (
        <>
          not heard since the halt, last heard <RelativeTime at={heardAt} />. Its last policy is too old by now, so its
          gates deny.
        </>
      );
  }
}

import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { HaltReach as Reach } from "@/server/halts/schema";

/** The number of local executors that have followed a halt, and those that have not. */
export function HaltReach({ reach: { executors, followed, waiting } }: { reach: Reach }) {
  const more = executors - followed - waiting.length;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>
        {followed === executors ? <Mark tone="allow" label="Applied" /> : <Mark tone="ask" label="Not applied yet" />}{" "}
        Applied by {followed} of {plural(executors, "local executor")}
      </p>
      {waiting.length > 0 ? (
        <ul aria-label="Local executors that have not applied the halt yet" className="flex flex-col gap-1">
          {waiting.map(({ agentId, executorId, name, heardAt }) => (
            <li key={`${agentId} ${executorId}`} className="break-words text-muted">
              <Link className="link" href={`/agents/${agentId}`}>
                {name}
              </Link>
              , last contact <RelativeTime at={heardAt} />
            </li>
          ))}
          {more > 0 ? <li className="text-muted">and {more} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { AgentExceptions } from "@/components/agents/agent-exceptions";
import { laterEventsText } from "@/components/agents/later-events-text";
import { applyingWords, otherWords, throughWords } from "@/components/agents/policy-application-reason";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

/** The policies that apply to one agent, in order of precedence, with the reason; and the policies that do not. */
export function ApplyingSection({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const nowMs = useNow(60_000);
  const applying = useQuery(trpc.policies.applying.queryOptions({ agentId }));
  const { data } = applying;
  return (
    <Section title="Effective policy" aside={data && data.policies.length > 1 ? "in this order" : null}>
      {applying.error ? (
        <ErrorState
          compact
          title="The effective policy could not be loaded"
          reason={failureSentence(applying.error)}
          onRetry={() => void applying.refetch()}
        />
      ) : data === undefined ? (
        <Loading label="the effective policy">
          <SkeletonText lines={3} />
        </Loading>
      ) : (
        <>
          {data.client === null ? null : (
            <p className="text-muted text-sm">
              Client:{" "}
              <Link className="link" href="/agents/clients">
                {data.client}
              </Link>
              {data.clientVersion === null ? "" : ` ${data.clientVersion}`}.{laterEventsText(data.laterEvents)}
            </p>
          )}
          {data.groups.length > 0 ? (
            <p className="text-muted text-sm">Groups: {data.groups.map(({ name }) => name).join(", ")}.</p>
          ) : (
            <p className="text-muted text-sm">No groups.</p>
          )}
          {data.policies.length === 0 ? (
            <p>No policy applies to this agent.</p>
          ) : (
            <ol aria-label="Policies in order" className="flex flex-col divide-y divide-line rounded-md border">
              {data.policies.map((policy) => {
                const { tone, label, why } = applyingWords(policy, nowMs);
                return (
                  <li key={policy.id} className="flex flex-col gap-1 px-3 py-2">
                    <div className="flex flex-wrap items-center gap-2">
                      <Link className="link font-medium" href={`/policies/${policy.id}`}>
                        {policy.name}
                      </Link>
                      <Mark tone={tone} label={label} />
                      <span className="text-muted text-sm">{throughWords(policy.through)}</span>
                    </div>
                    {why === "" ? null : <p className="text-muted text-sm">{why}</p>}
                    {policy.cannotAllow ? (
                      <p className="text-muted text-sm">
                        The owner is not proven, so this policy can deny and ask, and its approval of a call does not
                        count.
                      </p>
                    ) : null}
                    <OnClient findings={policy.onClient} />
                  </li>
                );
              })}
            </ol>
          )}
          <AgentExceptions agentId={agentId} />
          {data.others.length > 0 ? (
            <details className="text-sm">
              <summary className="cursor-pointer text-muted">Not applied: {data.others.length}</summary>
              <ul className="mt-1 flex flex-col gap-1 pl-4">
                {data.others.map((other) => (
                  <li key={other.id}>
                    <Link className="link" href={`/policies/${other.id}`}>
                      {other.name}
                    </Link>
                    : {otherWords(other)}
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </>
      )}
    </Section>
  );
}

/** The fate of a policy's answers on the agent's client, where it is not the one that the policy states. */
function OnClient({ findings }: { findings: readonly string[] }) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="On its client" className="flex flex-col gap-0.5 text-ask text-sm">
      {findings.map((text) => (
        <li key={text}>{`${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</li>
      ))}
    </ul>
  );
}

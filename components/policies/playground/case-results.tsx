"use client";

import { useQuery } from "@tanstack/react-query";
import { counted } from "@/components/policies/labels";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";

/** The results of a policy's cases on exactly this text. Nothing at all for a policy without cases. */
export function CaseResults({ policyId, source }: { policyId: string; source: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const cases = useQuery(trpc.playground.cases.queryOptions({ policyId }));
  const count = cases.data?.length ?? 0;
  const ran = useQuery({
    queryKey: [...trpc.playground.cases.queryKey({ policyId }), "on", source, cases.dataUpdatedAt],
    queryFn: ({ signal }) =>
      client.playground.runCases.mutate({ policyId, subject: { kind: "text", source } }, { signal }),
    enabled: count > 0,
    retry: false,
    gcTime: 0,
  });
  if (count === 0) return null;
  const failed = (ran.data?.cases ?? []).filter(({ passed }) => !passed);
  return (
    <Section title="Test cases" aside={counted(count, "case")}>
      {ran.data ? (
        failed.length === 0 ? (
          <Mark
            tone="allow"
            look="plain"
            label={`All pass on this draft: ${counted(ran.data.cases.length, "test case")}`}
          />
        ) : (
          <ul className="flex flex-col gap-2">
            {failed.map(({ id, name, differs }) => (
              <li key={id} className="flex flex-col gap-0.5">
                <span className="flex items-center gap-2">
                  <Mark tone="deny" label="Failed" />
                  <strong className="font-semibold">{name}</strong>
                </span>
                {differs.map((difference) => (
                  <span key={difference} className="break-words text-sm">
                    {difference}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        )
      ) : ran.error ? (
        <ErrorLine>The cases could not be run: {failureSentence(ran.error)}</ErrorLine>
      ) : (
        <p className="flex items-center gap-2 text-muted">
          <Spinner /> Running {counted(count, "case")} on this draft
        </p>
      )}
    </Section>
  );
}

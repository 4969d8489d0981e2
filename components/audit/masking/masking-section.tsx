"use client";

import { useQuery } from "@tanstack/react-query";
import { MaskingForm } from "@/components/audit/masking/masking-form";
import { WaitingMasking } from "@/components/audit/masking/waiting-masking";
import { TopicLink } from "@/components/layout/help/topic-link";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

/** Hits are counted without a notice to pages. */
const HITS_EVERY_MS = 10_000;

/** The masking of the workspace in addition to secrets: its own patterns, personal data, and fields that are never stored. */
export function MaskingSection() {
  const trpc = useTRPC();
  const masking = useQuery({ ...trpc.maskingSettings.get.queryOptions(), refetchInterval: HITS_EVERY_MS });
  const { data } = masking;
  return (
    <Section title="Masking" framed>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Secrets are always masked. Add patterns, personal data and fields that must not be stored either. Rules see
          the original call. Records, judges, approval requests, notices and exports get the masked text only. Names of
          tools, sessions and agents are kept. <TopicLink topic="masking" />
        </p>
        {data ? (
          <>
            {data.problem === null ? null : (
              <Notice kind="danger">
                The stored masking cannot be read ({data.problem}). Every text is hidden until it is saved again.
              </Notice>
            )}
            {data.asked === null ? null : <WaitingMasking asked={data.asked} />}
            <MaskingForm key={data.version} view={data} />
          </>
        ) : masking.isError ? (
          <ErrorState
            compact
            title="The masking could not be loaded"
            reason={failureSentence(masking.error)}
            onRetry={() => void masking.refetch()}
          />
        ) : (
          <Loading label="the masking">
            <SkeletonText lines={4} />
          </Loading>
        )}
      </div>
    </Section>
  );
}

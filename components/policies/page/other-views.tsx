"use client";

import dynamic from "next/dynamic";
import { PageBody } from "@/components/layout/page-body";
import type { PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

const loading = () => (
  <Loading label="the policy">
    <SkeletonText lines={8} />
  </Loading>
);
/** These views are loaded when they are opened. */
const ChangesView = dynamic(
  () => import("@/components/policies/diff/changes-view").then(({ ChangesView: view }) => view),
  { loading },
);
const TestsView = dynamic(
  () => import("@/components/policies/playground/tests-view").then(({ TestsView: view }) => view),
  { loading },
);
const RevisionsView = dynamic(
  () => import("@/components/policies/revisions-view").then(({ RevisionsView: view }) => view),
  { loading },
);

/** The stored cases of the policy; one opens in the playground. */
export function TestsTab({ studio: { policy, draft, bench, openBench } }: { studio: PolicyStudio }) {
  return (
    <PageBody>
      <TestsView
        policy={policy}
        draftText={draft.text}
        onBench={openBench}
        onOpen={(one) => {
          openBench();
          bench.setEvent(one.event);
          bench.setLane(one.lane);
          bench.setText(one.input);
        }}
      />
    </PageBody>
  );
}

/** The draft against what is in force, as meaning and as text. */
export function ChangesTab({ studio: { policy, draft } }: { studio: PolicyStudio }) {
  return (
    <PageBody>
      <ChangesView
        before={policy.publishedSource}
        after={draft.text}
        beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "No revision in force"}
        afterLabel="Your draft"
        same="Your draft is identical to the revision in force. Your edits appear in this view."
      />
    </PageBody>
  );
}

/** Everything that was ever published. */
export function RevisionsTab({ studio: { policy, revision, setRevision } }: { studio: PolicyStudio }) {
  return (
    <PageBody width="fill">
      <RevisionsView
        policyId={policy.id}
        live={policy.liveRevision}
        canary={policy.canary?.revision ?? null}
        openNumber={revision}
        onOpen={(number) => void setRevision(number)}
      />
    </PageBody>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { OverrideNote } from "@/components/policies/review/override-note";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Mark } from "@/components/ui/mark";
import { saveFile } from "@/components/ui/save-file";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

export interface RevisionDrawerProps {
  policyId: string;
  policyName: string;
  latest: number;
  live: number;
  number: number | null;
  /** The text in the editor, to compare with. */
  draftText: string;
  onShow: (number: number | null) => void;
  /** Puts a revision's text into the editor. */
  onTakeUp: (source: string, number: number) => void;
  /** Asks whether the revision is to be in force. */
  onPutInForce: (chosen: { number: number; source: string }) => void;
}

type Against = "before" | "draft" | "whole";

/** One revision: its author, time, reason and changes. */
export function RevisionDrawer(props: RevisionDrawerProps) {
  const { policyId, policyName, latest, live, number, draftText, onShow } = props;
  const trpc = useTRPC();
  const [against, setAgainst] = useState<Against>("before");
  const shown = number ?? 1;
  const revision = useQuery({
    ...trpc.policies.revision.queryOptions({ policyId, number: shown }),
    enabled: number !== null,
  });
  const hasBefore = shown > 1;
  const before = useQuery({
    ...trpc.policies.revision.queryOptions({ policyId, number: Math.max(1, shown - 1) }),
    enabled: number !== null && hasBefore,
  });
  const { data } = revision;
  return (
    <Drawer
      open={number !== null}
      onClose={() => onShow(null)}
      width="lg"
      title={
        <>
          Revision {shown} {shown === live ? <Mark tone="allow" label="in force" /> : null}
        </>
      }
      subtitle={policyName}
      onPrevious={shown < latest ? () => onShow(shown + 1) : undefined}
      onNext={shown > 1 ? () => onShow(shown - 1) : undefined}
      footer={data ? <Acts {...props} shown={shown} source={data.source} /> : null}
    >
      {revision.error ? (
        <ErrorState
          compact
          title="The revision could not be loaded"
          reason={failureSentence(revision.error)}
          onRetry={() => void revision.refetch()}
        />
      ) : data === undefined ? (
        <Loading label="the revision">
          <SkeletonText lines={6} />
        </Loading>
      ) : (
        <div className="flex flex-col gap-4">
          <KeyValue
            items={[
              { label: "Author", value: data.author },
              { label: "Published", value: <ExactTime at={data.createdAt} /> },
              { label: "Note", value: data.note || "none" },
              { label: "Hooks", value: `${data.hooks}, profile ${data.profile}` },
              { label: "sha256", value: data.sha256, mono: true },
            ]}
          />
          {data.overrides.map((override) => (
            <OverrideNote key={override.at.getTime()} override={override} />
          ))}
          <Segmented<Against>
            label="Views"
            value={against}
            onChange={setAgainst}
            options={[
              { value: "before", label: hasBefore ? `Changes from revision ${shown - 1}` : "First text" },
              { value: "draft", label: "Compare with your draft" },
              { value: "whole", label: "Full text" },
            ]}
            className="self-start"
          />
          <RevisionText
            against={against}
            shown={shown}
            source={data.source}
            draftText={draftText}
            before={hasBefore ? before.data?.source : ""}
          />
        </div>
      )}
    </Drawer>
  );
}

interface ActsProps
  extends Pick<RevisionDrawerProps, "policyName" | "live" | "draftText" | "onTakeUp" | "onPutInForce"> {
  shown: number;
  source: string;
}

function Acts({ policyName, live, draftText, onTakeUp, onPutInForce, shown, source }: ActsProps) {
  return (
    <>
      <CopyButton text={source} label="Copy text" withLabel />
      <Button
        onClick={() => saveFile(`${policyName}-r${shown}.yaml`, new Blob([source], { type: "application/yaml" }))}
      >
        Export
      </Button>
      <Button disabled={source === draftText} onClick={() => onTakeUp(source, shown)}>
        Edit this text
      </Button>
      <Button variant="primary" disabled={shown === live} onClick={() => onPutInForce({ number: shown, source })}>
        Roll back…
      </Button>
    </>
  );
}

interface RevisionTextProps {
  against: Against;
  shown: number;
  source: string;
  /** The text of the revision before, empty before the first; undefined while it is not known. */
  before: string | undefined;
  draftText: string;
}

function RevisionText({ against, shown, source, before, draftText }: RevisionTextProps) {
  if (against === "whole" || (against === "before" && before === undefined))
    return (
      <CodeBlock
        code={source}
        language="yaml"
        label={`Text of revision ${shown}`}
        linkTo={`r${shown}`}
        maxHeight={720}
      />
    );
  return against === "draft" ? (
    <ChangesView
      before={source}
      after={draftText}
      beforeLabel={`Revision ${shown}`}
      afterLabel="Your draft"
      same={`Your draft is identical to revision ${shown}.`}
    />
  ) : (
    <ChangesView
      before={before ?? ""}
      after={source}
      beforeLabel={shown > 1 ? `Revision ${shown - 1}` : "No earlier revision"}
      afterLabel={`Revision ${shown}`}
      same={`Revision ${shown} is identical to revision ${shown - 1}.`}
    />
  );
}

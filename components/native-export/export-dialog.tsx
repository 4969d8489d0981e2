"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { leftOutText, lossTitle, releaseHelp } from "@/components/native-export/export-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { saveFile } from "@/components/ui/save-file";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ExportNative, NativeExportView } from "@/server/policies/schema";

export interface ExportDialogProps {
  of: ExportNative["of"];
  /** Without its ending. */
  fileName: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The export for a release of docker-agent: the choice, the text, and the refusal where a gate would be lost. */
export function ExportDialog({ of, fileName, open, onOpenChange }: ExportDialogProps) {
  return open ? <OpenDialog of={of} fileName={fileName} onClose={() => onOpenChange(false)} /> : null;
}

function OpenDialog({ of, fileName, onClose }: Pick<ExportDialogProps, "of" | "fileName"> & { onClose: () => void }) {
  const trpc = useTRPC();
  const [release, setRelease] = useState<string | undefined>();
  const found = useQuery({
    ...trpc.policies.exportNative.queryOptions({ of, ...(release !== undefined && { release }) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data } = found;
  const yaml = found.isPlaceholderData ? null : (data?.yaml ?? null);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      size="lg"
      title="Export for docker-agent"
      description="Saves the hooks as docker-agent YAML, for a machine without a connection to this server."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabled={yaml === null}
            onClick={() =>
              yaml !== null && saveFile(`${fileName}.hooks.yaml`, new Blob([yaml], { type: "application/yaml" }))
            }
          >
            <Download aria-hidden /> Download YAML
          </Button>
        </>
      }
    >
      {found.error ? (
        <ErrorState
          compact
          title="The export failed"
          reason={failureSentence(found.error)}
          onRetry={() => void found.refetch()}
        />
      ) : data === undefined ? (
        <Loading label="the export">
          <SkeletonText lines={6} />
        </Loading>
      ) : (
        <div className="flex flex-col gap-3">
          <Field label="Release of docker-agent" help={releaseHelp(data)}>
            <Select
              value={data.release}
              onChange={setRelease}
              options={data.releases.map(({ name, title }) => ({ value: name, label: title }))}
            />
          </Field>
          <Findings found={data} />
          {data.yaml === null ? null : (
            <CodeBlock code={data.yaml} language="yaml" label="Exported YAML" titled maxHeight={280} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function Findings({ found }: { found: NativeExportView }) {
  return (
    <>
      {found.lost.length === 0 ? null : (
        <Notice kind="danger">
          <p className="font-medium">{lossTitle(found)}</p>
          <ul aria-label="Gates that the export would lose" className="mt-1 flex flex-col gap-2">
            {found.lost.map((gate) => (
              <li key={`${gate.event} ${gate.hook} ${gate.reason}`}>
                <strong className="font-medium break-words">{gate.hook}</strong> on <code>{gate.event}</code>:{" "}
                {gate.reason} {gate.remedy}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Lines label="Left out" lines={found.leftOut.map(leftOutText)} />
      <Lines label="How this docker-agent release differs from the policy's profile" lines={found.notes} />
    </>
  );
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium text-sm">{label}</h3>
      <ul aria-label={label} className="flex list-disc flex-col gap-1 pl-5 text-muted text-sm">
        {[...new Set(lines)].map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

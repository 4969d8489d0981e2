"use client";

import { ChangesTable } from "@/components/audit/changes-table";
import { kindLabel, sentenceOf } from "@/components/audit/sentences";
import { useOpenHref } from "@/components/layout/use-open-href";
import { CodeBlock } from "@/components/ui/code/code-block";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Missing } from "@/components/ui/format/missing";
import { ExactTime, RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { EntryDetail } from "@/server/record/schema";

const WITHOUT_PLACE = "Only entries of browser requests have an IP address.";

/** The act, the changes it made, and the entry's place in the chain. */
export function EntryDetailView({ detail }: { detail: EntryDetail }) {
  const { actor, from, target, changes, texts } = detail;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-md">
        <span className="font-semibold">{actor?.name ?? "Quarterdeck"}</span> {sentenceOf(detail)}
      </p>
      <KeyValue
        items={[
          { label: "When", value: <ExactTime at={detail.at} /> },
          { label: "Who", value: actor ? `${actor.name} (${actor.kind})` : "the server itself" },
          { label: "From", value: from?.ip ?? <Missing reason={WITHOUT_PLACE} />, mono: true },
          { label: "Browser", value: from?.userAgent ?? undefined },
          {
            label: "About",
            value: target ? `${target.type} ${target.name ?? target.id}` : <Missing reason="No single target." />,
          },
        ]}
      />
      {texts ? (
        <Section title="What changed">
          <DiffBlock before={texts.before} after={texts.after} label={texts.label} />
          {texts.trouble === null ? null : <p className="text-deny text-sm">{texts.trouble}</p>}
        </Section>
      ) : null}
      {changes && Object.keys(changes).length > 0 ? (
        <Section title={texts ? "Other changes" : "What changed"}>
          <ChangesTable changes={changes} />
        </Section>
      ) : null}
      <Proof detail={detail} />
      <Section title="Recorded entry">
        <CodeBlock code={detail.raw} language="json" label={`Entry ${detail.seq} as JSON`} wrap />
      </Section>
    </div>
  );
}

function Proof({ detail }: { detail: EntryDetail }) {
  const href = useOpenHref((seq: number) => String(seq));
  const { holds, checkpoint, hash, previous, neighbours, seq } = detail;
  return (
    <Section
      title="Position in the hash chain"
      aside={<Mark tone={holds ? "allow" : "deny"} label={holds ? "hash valid" : "hash not valid"} />}
    >
      <KeyValue
        items={[
          { label: "Entry", value: seq },
          { label: "Hash", value: hash, mono: true },
          {
            label: "Previous hash",
            value: previous === "" ? <Missing reason="The entry before this entry is missing." /> : previous,
            mono: true,
          },
          {
            label: "Signed",
            value: checkpoint ? (
              <>
                by the checkpoint of entry {checkpoint.seq}, <RelativeTime at={new Date(checkpoint.at)} />, key{" "}
                <code>{checkpoint.key}</code>
              </>
            ) : (
              "not yet signed: no checkpoint covers it"
            ),
          },
          {
            label: "Neighbours",
            value:
              neighbours.length === 0 ? undefined : (
                <span className="flex flex-wrap gap-3">
                  {neighbours.map((one) => (
                    <Link key={one.seq} href={href(one.seq)} className="text-accent-text hover:underline">
                      {one.seq} · {kindLabel(one.kind)}
                    </Link>
                  ))}
                </span>
              ),
          },
        ]}
      />
    </Section>
  );
}

"use client";

import { Called } from "@/components/decisions/subject";
import { type ListDrawerProps, RecordDrawer } from "@/components/layout/record-drawer";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { CallView } from "@/server/decisions/schema";

const NO_QUERY = { error: null, isError: false, isFetching: false, refetch: () => undefined };

/** A call that its agent holds open until a person answers. */
export function HeldCall({ call, ...list }: ListDrawerProps & { call: CallView }) {
  return (
    <RecordDrawer
      {...list}
      noun="call"
      width="lg"
      title={
        <>
          <Mark tone="ask" label="Waiting for a person" />
          <span className="truncate text-base">
            <Called of={call} />
          </span>
        </>
      }
      of={call}
      isUnreadable={false}
      query={NO_QUERY}
      skeleton={null}
      footer={
        call.request === null ? null : (
          <Button asChild variant="primary">
            <Link href={`/approvals#QD-${call.request.number}`}>Answer QD-{call.request.number}</Link>
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <p className="text-muted">The agent waits for an answer. The call is recorded after a person answers.</p>
        {call.reason === "" ? null : (
          <Section title="Question">
            <p className="whitespace-pre-wrap break-words">{call.reason}</p>
          </Section>
        )}
        <Section title="Input" aside={<code>{call.tool}</code>}>
          <CodeBlock code={call.excerpt} label="Input" numbers={false} wrap maxHeight={240} />
        </Section>
      </div>
    </RecordDrawer>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import type { StreamCheck, StreamView } from "@/server/streams/schema";

type Sums = Omit<StreamCheck, "next">;
const NOTHING: Sums = { sent: 0, recorded: 0, removed: 0, differing: [], to: 0 };

/** Compares everything that a stream sent with the record, page by page. */
export function CheckDialog({ stream, onClose }: { stream: StreamView | null; onClose: () => void }) {
  return (
    <Dialog
      open={stream !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Compare with the record"
      description="The number and the hash of the stream's events must be those that the record gives now."
    >
      {stream === null ? null : <Comparison key={stream.id} id={stream.id} />}
    </Dialog>
  );
}

function Comparison({ id }: { id: string }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [sums, setSums] = useState<Sums | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const compare = async () => {
    setRunning(true);
    setFailure(null);
    try {
      let so: Sums = NOTHING;
      let after: StreamCheck["next"] = null;
      do {
        const input = { id, after };
        const page: StreamCheck = await client.fetchQuery({ ...trpc.streams.check.queryOptions(input), staleTime: 0 });
        so = add(so, page);
        after = page.next;
        setSums(so);
      } while (after !== null);
    } catch (error) {
      setFailure(failureSentence(error));
    }
    setRunning(false);
  };
  return (
    <div className="flex flex-col gap-3 pb-3" aria-live="polite">
      {sums === null ? null : <Result sums={sums} isRunning={isRunning} />}
      {failure === null ? null : <ErrorLine>{failure}</ErrorLine>}
      <Button variant="primary" className="self-start" busy={isRunning} onClick={() => void compare()}>
        Compare
      </Button>
    </div>
  );
}

const add = (sums: Sums, page: Sums): Sums => ({
  sent: sums.sent + page.sent,
  recorded: sums.recorded + page.recorded,
  removed: sums.removed + page.removed,
  differing: [...sums.differing, ...page.differing],
  to: page.to,
});

function Result({ sums, isRunning }: { sums: Sums; isRunning: boolean }) {
  const { sent, recorded, removed, differing, to } = sums;
  const isEqual = differing.length === 0;
  return (
    <>
      <p>
        <Mark
          tone={isEqual ? "allow" : "error"}
          label={isEqual ? (isRunning ? "Equal so far" : "Equal") : `${plural(differing.length, "range")} differ`}
        />
      </p>
      <p>
        {plural(sent, "event")} of the stream, {recorded} of the record, up to entry {to}.
      </p>
      {removed > 0 ? (
        <p className="text-muted text-sm">
          Retention has removed {plural(removed, "event")} since. Ranges with removed events are not compared.
        </p>
      ) : null}
      {isEqual ? null : (
        <ul className="text-sm" aria-label="Ranges that differ">
          {differing.map(({ from, to: end, sent: counted, recorded: found }) => (
            <li key={from}>
              Entries {from} to {end}: {counted} sent, {found} recorded
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

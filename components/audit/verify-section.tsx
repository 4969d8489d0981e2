"use client";

import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { Verification } from "@/server/evidence/schema";

const VERDICTS = {
  proven: { tone: "allow", label: "proven" },
  found: { tone: "deny", label: "does not hold" },
  unknown: { tone: "unknown", label: "whole as far as can be told" },
} as const;

/** Checks every entry and every dispatch now, against this node's checkpoint file. */
export function VerifySection() {
  const client = useTRPCClient();
  const [state, setState] = useState<Verification | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const stop = useRef<(() => void) | null>(null);
  // Leaving the page ends the verification on the server.
  useEffect(() => () => stop.current?.(), []);
  const begin = () => {
    setFailure(null);
    setState({ state: "running", done: 0, of: 0 });
    const running = client.audit.verify.subscribe(undefined, {
      onData: (message) => {
        setState(message);
        if (message.state === "done") running.unsubscribe();
      },
      onError: (error) => {
        setState(null);
        setFailure(failureSentence(error));
      },
    });
    stop.current = () => running.unsubscribe();
  };
  const isRunning = state?.state === "running";
  return (
    <Section
      title="Does the record hold?"
      aside={state?.state === "done" ? <Mark {...VERDICTS[state.verdict]} /> : null}
      actions={
        <Button variant="primary" busy={isRunning} onClick={begin}>
          <ShieldCheck aria-hidden />
          Verify now
        </Button>
      }
      framed
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        {state === null ? (
          <p className="text-muted">
            Every hash is made again, and every dispatch is held against what was recorded of it. An export can be
            verified anywhere:{" "}
            <code>
              npm run -s quarterdeck -- audit verify record.jsonl --key key.pem --checkpoint checkpoints.jsonl
            </code>
          </p>
        ) : state.state === "running" ? (
          <>
            <p>
              {formatCount(state.done)} of {formatCount(state.of)} entries
            </p>
            <progress
              aria-label="Verification"
              className="h-1.5 w-full accent-accent"
              value={state.done}
              max={Math.max(1, state.of)}
            />
          </>
        ) : (
          <>
            <Sentences title="Altered" lines={state.altered} />
            <Sentences title="Missing" lines={state.missing} />
            {state.notes.length > 0 ? <Sentences title="To know" lines={state.notes} /> : null}
          </>
        )}
        {failure === null ? null : <ErrorLine>{failure}</ErrorLine>}
      </div>
    </Section>
  );
}

function Sentences({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <h3 className="font-semibold text-sm">{title}</h3>
      {lines.map((line) => (
        <p key={line} className={line.startsWith("  ") ? "pl-4" : undefined}>
          {line}
        </p>
      ))}
    </div>
  );
}

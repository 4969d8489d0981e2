"use client";

import { useState } from "react";
import { z } from "zod";
import { BATCH_MAX, type BatchResult, useBatchAnswer } from "@/components/decisions/batch/use-batch-answer";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { Spinner } from "@/components/ui/spinner";
import { WORDS_CHARS_MAX } from "@/server/approvals/schema";
import type { CallRequest, CallView } from "@/server/decisions/schema";

export interface WaitingCall {
  readonly call: CallView;
  readonly request: CallRequest;
}

interface BatchDialogProps {
  verdict: "allow" | "deny";
  /** As they were when the dialog was opened: answers change the list behind it. */
  calls: readonly WaitingCall[];
  onClose: () => void;
}

const denial = z.object({ words: needed("Enter a one-line reason.") });

/** Lists the calls before they are answered, then the result of each. */
export function BatchDialog({ verdict, calls, onClose }: BatchDialogProps) {
  const { results, run } = useBatchAnswer();
  const [phase, setPhase] = useState<"asking" | "answering" | "over">("asking");
  const form = useForm(denial, { words: "" });
  const isAllow = verdict === "allow";
  const act = async (words: string) => {
    setPhase("answering");
    await run(
      calls.map(({ request }) => request),
      isAllow ? { verdict: "allow" } : { verdict: "deny", words },
    );
    setPhase("over");
  };
  const many = plural(calls.length, "call");
  const verb = isAllow ? "Allow" : "Deny";
  return (
    <Dialog
      open
      onOpenChange={() => phase === "answering" || onClose()}
      size="lg"
      title={phase === "over" ? `Results of ${many}` : `${verb} ${many}?`}
      description={
        isAllow
          ? `Each call gets its own answer. Agents that wait continue immediately. You can answer at most ${BATCH_MAX} calls at once.`
          : `Each call gets its own answer, and each agent receives your reason. You can answer at most ${BATCH_MAX} calls at once.`
      }
      footer={
        phase === "over" ? (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        ) : isAllow ? (
          <>
            <Button onClick={onClose} disabled={phase === "answering"}>
              Cancel
            </Button>
            <Button variant="primary" busy={phase === "answering"} onClick={() => void act("")}>
              Allow {many}
            </Button>
          </>
        ) : undefined
      }
    >
      {isAllow || phase === "over" ? null : (
        <Form
          form={form}
          onSubmit={({ words }) => act(words)}
          className="gap-2 pb-3"
          foot={
            <Button type="submit" variant="danger" busy={phase === "answering"} className="self-start">
              Deny {many}
            </Button>
          }
        >
          <FormField form={form} name="words" label="Reason" help="Each agent receives this reason.">
            {(field) => <Input {...field} maxLength={WORDS_CHARS_MAX} disabled={phase === "answering"} />}
          </FormField>
        </Form>
      )}
      <Results calls={calls} results={results} isAllow={isAllow} />
    </Dialog>
  );
}

interface ResultsProps {
  calls: readonly WaitingCall[];
  results: ReadonlyMap<string, BatchResult>;
  isAllow: boolean;
}

function Results({ calls, results, isAllow }: ResultsProps) {
  return (
    <ul aria-label="Calls" className="overflow-hidden rounded-md border">
      {calls.map(({ call, request }) => (
        <li key={request.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 not-first:border-t">
          <span className="w-16 shrink-0 text-muted text-sm">QD-{request.number}</span>
          <span className="min-w-0 flex-1 basis-60 truncate">
            <code className="text-muted">{call.tool}</code> <code>{call.excerpt.replace(/\s+/g, " ")}</code>
          </span>
          <span className="text-muted text-sm">{call.agentName}</span>
          <Result result={results.get(request.id)} isAllow={isAllow} />
        </li>
      ))}
    </ul>
  );
}

function Result({ result, isAllow }: { result: BatchResult | undefined; isAllow: boolean }) {
  if (result === undefined || result === "waiting") return null;
  if (result === "sending") return <Spinner />;
  if (result === "done") return <Mark tone={isAllow ? "allow" : "deny"} label={isAllow ? "Allowed" : "Denied"} />;
  if (result === "partly") return <Mark tone="ask" label="Second person needed" />;
  return <p className="basis-full text-error text-sm">Not answered: {result.failure}</p>;
}

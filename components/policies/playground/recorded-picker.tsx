"use client";

import { contractOf, type EventName, type Profile } from "@quarterdeck/hooks/contract/events";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { Popover } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { verdictWords } from "@/server/decisions/schema";
import type { RecordedView } from "@/server/playground/schema";

const EVERY = "every";

type OnTake = (one: RecordedView) => void;

/** The latest dispatches of an event, to take the input of one. */
export function RecordedPicker({ event, profile, onTake }: { event: EventName; profile: Profile; onTake: OnTake }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={`Recorded inputs of ${event}`}
      open={isOpen}
      onOpenChange={setOpen}
      align="start"
      className="w-120 max-w-[calc(100vw-24px)]"
      trigger={
        <Button>
          <History aria-hidden />
          Recorded…
        </Button>
      }
    >
      <Choices
        event={event}
        isAboutTools={contractOf(event, profile).toolScoped}
        onTake={(one) => {
          setOpen(false);
          onTake(one);
        }}
      />
    </Popover>
  );
}

function Choices({ event, isAboutTools, onTake }: { event: EventName; isAboutTools: boolean; onTake: OnTake }) {
  const trpc = useTRPC();
  const [words, setWords] = useState("");
  const [agentId, setAgent] = useState(EVERY);
  const [tool, setTool] = useState(EVERY);
  const text = useDeferredValue(words);
  const agents = useQuery(everyAgent(trpc));
  const seen = useQuery({ ...trpc.policies.checkContext.queryOptions(), staleTime: 60_000 });
  const found = useQuery(
    trpc.playground.recorded.queryOptions({
      event,
      text,
      ...(agentId === EVERY ? {} : { agentId }),
      ...(tool === EVERY ? {} : { tool }),
    }),
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Input
          aria-label="Words in the input"
          placeholder="Words in the input"
          className="min-w-0 flex-1 basis-40"
          value={words}
          onChange={(change) => setWords(change.target.value)}
        />
        <Select
          aria-label="Agent"
          value={agentId}
          onChange={setAgent}
          className="max-w-40"
          options={[
            { value: EVERY, label: "Every agent" },
            ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {isAboutTools ? (
          <Select
            aria-label="Tool"
            value={tool}
            onChange={setTool}
            className="max-w-40"
            options={[
              { value: EVERY, label: "Every tool" },
              ...(seen.data?.tools ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        ) : null}
      </div>
      <div className="max-h-80 overflow-y-auto">
        <FoundInputs found={found} event={event} hasWords={words !== ""} onTake={onTake} />
      </div>
      <p className="text-faint text-xs">Secrets in stored inputs are masked, so a run uses the masked input.</p>
    </div>
  );
}

interface FoundInputsProps {
  found: UseQueryResult<readonly RecordedView[], unknown>;
  event: EventName;
  hasWords: boolean;
  onTake: OnTake;
}

function FoundInputs({ found, event, hasWords, onTake }: FoundInputsProps) {
  if (found.data?.length === 0)
    return (
      <EmptyState icon={History} compact title="No matching inputs">
        {hasWords ? "Use fewer search words." : `No agent reported ${event} in the last 30 days. Start from a sample.`}
      </EmptyState>
    );
  if (found.data)
    return (
      <ul className="flex flex-col">
        {found.data.map((one) => (
          <li key={one.id}>
            <RecordedRow one={one} onTake={onTake} />
          </li>
        ))}
      </ul>
    );
  return found.error ? (
    <ErrorState
      title="Recorded inputs could not be loaded"
      reason={failureSentence(found.error)}
      onRetry={() => void found.refetch()}
    />
  ) : (
    <Loading label="recorded inputs">
      <SkeletonText lines={5} />
    </Loading>
  );
}

function RecordedRow({ one, onTake }: { one: RecordedView; onTake: OnTake }) {
  return (
    <button
      type="button"
      onClick={() => onTake(one)}
      className="flex w-full flex-col gap-0.5 rounded-sm px-2 py-1.5 text-left hover:bg-hover"
    >
      <span className="flex w-full items-center gap-2 text-sm">
        <span className="truncate">{one.agentName}</span>
        {one.tool === "" ? null : <code className="truncate">{one.tool}</code>}
        {one.verdict === "none" ? null : (
          <Mark look="plain" tone={verdictWords(one.verdict).tone} label={verdictWords(one.verdict).word} />
        )}
        <span className="ml-auto shrink-0 text-faint">
          <RelativeTime at={one.occurredAt} />
        </span>
      </span>
      <code className="w-full truncate text-faint text-xs">{one.excerpt}</code>
    </button>
  );
}

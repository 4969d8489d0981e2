"use client";

import { parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { useQuery } from "@tanstack/react-query";
import { Wrench } from "lucide-react";
import { LabelBar } from "@/components/judge-label/label-bar";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { JudgeCallKey } from "@/server/judges/schema";
import { decisionOf } from "@/server/prompts/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

export interface JudgeActsProps {
  call: JudgeCallKey;
  event: string;
  verdict: string;
  /** The prompt and revision that the hook names, such as `shell-risk@3`; null without one. */
  label: string | null;
  onNext?: (() => void) | undefined;
  /** False when another bar of the page takes the keys. */
  hasKeys?: boolean;
}

/** The viewer's label for a live decision of a judge, and the way to the prompt with this call in its preview. */
export function JudgeActs({ call, event, verdict, label, onNext, hasKeys }: JudgeActsProps) {
  const improve = <ImproveJudge call={call} event={event} label={label} />;
  if (decisionOf(verdict) === null) return improve;
  const { occurredAt, id, place } = call;
  return (
    <LabelBar
      subject={{ kind: "call", call: { occurredAt, id, place } }}
      verdict={verdict}
      onNext={onNext}
      hasKeys={hasKeys}
      actions={improve}
    />
  );
}

function ImproveJudge({ call, event, label }: Pick<JudgeActsProps, "call" | "event" | "label">) {
  const trpc = useTRPC();
  const named = parseJudgeLabel(label ?? "");
  const prompts = useQuery({ ...trpc.prompts.list.queryOptions(), enabled: named !== null });
  const prompt = prompts.data?.find(({ name }) => name === named?.name);
  if (!prompt) return null;
  const query = new URLSearchParams({ event, call: eventKeyText(call) });
  return (
    <Button asChild>
      <Link href={`/policies/prompts/${prompt.id}?${query}`}>
        <Wrench aria-hidden /> Improve this judge
      </Link>
    </Button>
  );
}

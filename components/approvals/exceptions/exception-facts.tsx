import { type DecidedSubject, inputText } from "@/components/approvals/exceptions/effect-sentences";
import { useNow } from "@/components/ui/format/clock";
import { minuteTime } from "@/components/ui/format/instant";
import { KeyValue } from "@/components/ui/key-value";
import type { ExceptionOffer, ExceptionView } from "@/server/exceptions/schema";

export interface ExceptionFactsProps {
  subject: DecidedSubject & Pick<ExceptionView, "command">;
  offer: Pick<ExceptionOffer, "input" | "sessionId">;
  hours: number;
}

/** The calls that the exception in the form allows, their agents, and the end of it. */
export function ExceptionFacts({ subject, offer, hours }: ExceptionFactsProps) {
  const now = useNow(10_000);
  const until = now === null ? null : minuteTime(now + hours * 3_600_000);
  return (
    <KeyValue
      items={[
        { label: "Allows", value: <AllowedCalls subject={subject} input={offer.input} /> },
        { label: "For", value: whoseText(subject, offer.sessionId) },
        { label: "Until", value: until ?? "…" },
      ]}
    />
  );
}

function AllowedCalls({
  subject: { command, toolName },
  input,
}: { input: string } & Pick<ExceptionFactsProps, "subject">) {
  const text = command === null ? inputText(input) : command.join(" ");
  return (
    <>
      {command === null
        ? `Calls to ${toolName} with exactly this input: `
        : `Calls of ${toolName} with a command that begins with `}
      <code className="wrap-anywhere line-clamp-4" title={text}>
        {text}
      </code>
    </>
  );
}

function whoseText({ scope, about, agentName }: DecidedSubject, sessionId: string): string {
  switch (scope) {
    case "session":
      return `${agentName}, only in the session ${sessionId}`;
    case "agent":
      return `${agentName}, in each session`;
    case "group":
      return `each agent of the group ${about}`;
    case "workspace":
      return "each agent of this workspace";
  }
}

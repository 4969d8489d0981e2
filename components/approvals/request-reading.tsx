"use client";

import { useMemo } from "react";
import { RecordedRules } from "@/components/tool-call/recorded-rules";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { ApprovalView } from "@/server/approvals/schema";

const ReadCall = loadWhenOpened(() => import("@/components/tool-call/read-call").then((one) => one.ReadCall));

/** The call as it was understood, and the rules that asked. */
export function RequestReading({ request, input }: { request: ApprovalView; input: Record<string, unknown> }) {
  const { toolName, cwd, askedBy, agentName, isWhole } = request;
  const call = useMemo(() => ({ tool: toolName, input, directory: cwd === "" ? null : cwd }), [toolName, input, cwd]);
  return (
    <details open className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm hover:text-text">
        Commands, paths and hosts
      </summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3 border-line border-l pl-3">
        {isWhole ? null : <p className="text-muted text-sm">Read from the input shown, with secrets masked.</p>}
        <ReadCall call={call} />
        {askedBy
          .filter(({ policyId }) => policyId !== null)
          .map((hook) => (
            <RecordedRules key={`${hook.policy} ${hook.path}`} hook={hook} call={call} agent={agentName} />
          ))}
      </div>
    </details>
  );
}

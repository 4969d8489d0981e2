"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import type { RefObject } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { addEntry } from "@/components/policies/document/add-entry";
import type { Edit } from "@/components/policies/document/change";
import type { Value } from "@/components/policies/document/write";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

interface AllowListOfferProps {
  text: string;
  editor: RefObject<EditorHandle | null>;
  /** Takes the text when the editor is not there to take changes. */
  onText: (text: string) => void;
}

/** The allow-list rule that the page was opened with: `?allow=` an agent, and `&server=` an MCP server. */
export function AllowListOffer({ text, editor, onText }: AllowListOfferProps) {
  const trpc = useTRPC();
  const [{ allow, server }, set] = useQueryStates({ allow: parseAsString, server: parseAsString });
  const input = { agentId: allow ?? "", ...(server !== null && { server }) };
  const { data, error } = useQuery({ ...trpc.inventory.allowList.queryOptions(input), enabled: allow !== null });
  const close = () => void set({ allow: null, server: null });
  const add = () => {
    if (data === undefined) return;
    const make = (now: string): Edit => addEntry(now, "pre_tool_use", data.entry as Value); // holds: JSON
    let done = editor.current?.edit(make, false) ?? null;
    if (done === null) {
      done = make(text);
      if (done.ok) onText(done.text);
    }
    if (!done.ok) {
      toast.error("The draft was not changed", { description: done.why });
      return;
    }
    toast.success("Rule added to the draft");
    close();
  };
  return (
    <Dialog
      open={allow !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
      title="Add an allow-list rule"
      description="The rule denies every tool not listed, for all agents of this policy. Review the draft, then publish it."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <PermittedButton to="policy:write" variant="primary" onClick={add} disabled={data === undefined}>
            Add rule to the draft
          </PermittedButton>
        </>
      }
    >
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      {data === undefined ? (
        error ? null : (
          <SkeletonText lines={6} />
        )
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-sm">
            {plural(data.names.length, "tool")} called by {data.agent} in the last 30 days.
          </p>
          <CodeBlock code={data.yaml} language="yaml" label="Rule" numbers={false} maxHeight={320} />
        </div>
      )}
    </Dialog>
  );
}

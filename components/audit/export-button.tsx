"use client";

import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { useCommandLine } from "@/components/access/command-line";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatCount } from "@/components/ui/format/count";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";

/** A browser holds the whole file before it can be saved; longer records are exported from the command line. */
const ENTRIES_MAX = 200_000;

/** Saves the whole record with its proof. */
export function ExportButton() {
  const client = useTRPCClient();
  const command = useCommandLine();
  const [done, setDone] = useState<number | null>(null);
  const isRunning = useRef(false);
  const save = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setDone(0);
    try {
      const first = await client.audit.startExport.query({});
      if ((first.total ?? 0) > ENTRIES_MAX) {
        toast.error("The audit log is too large to export in the browser", {
          description: `The audit log has ${formatCount(first.total ?? 0)} entries. Run this on the server: ${command} audit export > record.jsonl`,
        });
        return;
      }
      const parts = [first.text];
      for (let next = first.next; next !== null; ) {
        const page = await client.audit.exportPage.query({ ...next, isWhole: true });
        parts.push(page.text);
        next = page.next;
        setDone(next?.entries ?? null);
      }
      saveFile("quarterdeck-record.jsonl", new Blob(parts, { type: "application/jsonl" }));
    } catch (error) {
      toast.error("The audit log could not be exported", { description: failureSentence(error) });
    } finally {
      isRunning.current = false;
      setDone(null);
    }
  };
  return (
    <PermittedButton to="audit:read" onClick={() => void save()} busy={done !== null}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">{done ? `${formatCount(done)} entries` : "Export"}</span>
    </PermittedButton>
  );
}

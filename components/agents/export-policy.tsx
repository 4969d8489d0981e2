"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const ExportDialog = loadWhenOpened(() =>
  import("@/components/native-export/export-dialog").then((one) => one.ExportDialog),
);

/** Everything that binds an agent, as docker-agent's own YAML. */
export function ExportPolicy({ agent }: { agent: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden /> Export for docker-agent…
      </Button>
      <ExportDialog of={{ agent }} fileName={agent} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";

/** Everything that binds an agent, as docker-agent's own YAML. */
export function ExportPolicy({ agent }: { agent: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const download = async () => {
    try {
      const query = trpc.policies.exportAgent.queryOptions({ name: agent });
      const yaml = await queries.fetchQuery({ ...query, staleTime: 0 });
      saveFile(`${agent}.hooks.yaml`, new Blob([yaml], { type: "application/yaml" }));
    } catch (error) {
      toast.error("The policy could not be exported", { description: failureSentence(error) });
    }
  };
  return (
    <Button onClick={() => void download()}>
      <Download aria-hidden /> Effective policy as YAML
    </Button>
  );
}

import { plural } from "@/components/ui/format/count";
import { saveBase64File } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";

/** Saves an evidence archive and says how to read it. */
export function saveEvidence({ archive, calls }: { archive: string | null; calls: number }): void {
  saveBase64File("evidence.zip", archive ?? "", "application/zip");
  toast.success(`Evidence of ${plural(calls, "call")} saved`, {
    description:
      "Read the evidence in cover.html or cover.pdf. Verify the downloaded file with quarterdeck-verify.mjs.",
  });
}

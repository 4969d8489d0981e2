import { Badge } from "@/components/ui/badge";
import { Tooltip } from "@/components/ui/tooltip";
import { isHarness } from "@/server/costs/schema";

/** Marks the label of a coding harness; nothing for a provider's model. */
export function HarnessMark({ modelId }: { modelId: string }) {
  if (!isHarness(modelId)) return null;
  return (
    <Tooltip content="A coding harness reported the total cost of its model calls, without provider or model.">
      <span>
        <Badge look="outline">harness</Badge>
      </span>
    </Tooltip>
  );
}

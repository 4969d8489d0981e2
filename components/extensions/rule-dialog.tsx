import { CodeBlock } from "@/components/ui/code/code-block";
import { Dialog } from "@/components/ui/dialog";

const RULE = `hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true
      hooks:
        - name: accepted versions only
          type: rules
          rules:
            - ask: No person has accepted this version.
              unaccepted: true
`;

/** The rule that asks a person about each version that is not accepted, to copy. */
export function RuleDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Rule for accepted versions"
      description="The rule asks a person before a call uses a version that is not accepted."
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm">
          Copy the rule into a policy, or use the condition Not accepted in its form. Write deny instead of ask to
          refuse such calls.
        </p>
        <CodeBlock code={RULE} language="yaml" label="Rule as YAML" titled numbers={false} maxHeight={260} />
      </div>
    </Dialog>
  );
}
